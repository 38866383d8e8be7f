// SPDX-License-Identifier: Apache-2.0

/// A plugin in plain C.
extension Scaffold {
    var cFiles: [File] {
        [
            File(path: "Sources/\(name).c", text: source),
            File(path: "scenarios/late.yaml", text: scenario),
            File(path: "Makefile", text: makefile),
            File(path: "README.md", text: readme),
            File(path: ".gitignore", text: "/build/\n"),
        ]
    }

    private var folder: String {
        if case .folder(let folder) = origin { folder } else { "" }
    }

    private var source: String {
        #"""
        // Says what it hears once nothing more has come for a while. C11, marbled.h and libc.

        #include <stdlib.h>
        #include <string.h>

        #include "marbled.h"

        enum { HEARD = 0 };
        enum { SAID = 0, IS_WAITING = 1 };

        static const int64_t quiet_ns = 300000000;

        static const char description[] =
            "{\"id\":\"NAME\",\"version\":\"0.1.0\",\"abi\":{\"major\":1,\"minor\":0},\"features\":[{"
            "\"name\":\"NAME\",\"doc\":\"Says what it hears once nothing more has come for a while.\","
            "\"inputs\":[{\"name\":\"heard\",\"doc\":\"What was heard.\",\"schema\":{\"type\":\"string\"}}],"
            "\"outputs\":["
            "{\"name\":\"said\",\"kind\":\"event\",\"doc\":\"What is said.\",\"schema\":{\"type\":\"string\"}},"
            "{\"name\":\"isWaiting\",\"kind\":\"state\",\"doc\":\"Whether something waits to be said.\","
            "\"schema\":{\"type\":\"boolean\"}}],"
            "\"options\":{\"schema\":{\"type\":\"object\",\"properties\":{},\"required\":[],"
            "\"additionalProperties\":false},\"defaults\":{}},"
            "\"effects\":[]}]}";

        /// One running copy.
        typedef struct copy {
          const marbled_host_table *host;
          marbled_instance *instance;
          /// What was heard last, as JSON; ours.
          char *heard;
          size_t size;
          /// The timer that says it, or 0.
          uint64_t timer;
        } copy;

        static marbled_bytes text(const char *string) {
          return (marbled_bytes){.data = string, .size = strlen(string)};
        }

        static void emit(const copy *self, uint32_t output, marbled_bytes json) {
          self->host->emit(self->instance, output, MARBLED_NEXT, json);
        }

        static void say(void *data) {
          copy *const self = data;
          self->timer = 0;
          emit(self, SAID, (marbled_bytes){.data = self->heard, .size = self->size});
          emit(self, IS_WAITING, text("false"));
        }

        static marbled_bytes describe(const marbled_plugin_table *plugin) {
          (void)plugin;
          return (marbled_bytes){.data = description, .size = sizeof description - 1};
        }

        static void *create(
            const marbled_plugin_table *plugin, const marbled_host_table *host,
            marbled_instance *instance, marbled_bytes feature, marbled_bytes options,
            marbled_bytes *error) {
          (void)plugin;
          (void)feature;
          (void)options;
          copy *const self = calloc(1, sizeof *self);
          if (self == NULL) {
            *error = text("there is no memory");
            return NULL;
          }
          self->host = host;
          self->instance = instance;
          emit(self, IS_WAITING, text("false"));
          return self;
        }

        static bool send(void *feature, uint32_t input, marbled_bytes value, marbled_bytes *error) {
          copy *const self = feature;
          // The bytes are borrowed for this call: what is needed later is copied.
          char *const heard = input == HEARD ? malloc(value.size) : NULL;
          if (heard == NULL) {
            *error = text("there is no such input, or no memory");
            return false;
          }
          memcpy(heard, value.data, value.size);
          free(self->heard);
          self->heard = heard;
          self->size = value.size;
          if (self->timer == 0) {
            emit(self, IS_WAITING, text("true"));
          } else {
            self->host->cancel(self->instance, self->timer);
          }
          const int64_t due = self->host->after(self->instance, quiet_ns);
          self->timer =
              self->host->schedule(self->instance, due, MARBLED_PHASE_TIMER, "quiet", say, self);
          return true;
        }

        static void destroy(void *feature) {
          copy *const self = feature;
          free(self->heard);
          free(self);
        }

        const marbled_plugin_table *marbled_plugin_v1(void) {
          static const marbled_plugin_table table = {
              .size = sizeof(marbled_plugin_table),
              .abi_major = MARBLED_ABI_MAJOR,
              .abi_minor = MARBLED_ABI_MINOR,
              .data = NULL,
              .describe = describe,
              .create = create,
              .send = send,
              .destroy = destroy,
          };
          return &table;
        }

        """#
        .replacing("NAME", with: name)
    }

    private var scenario: String {
        """
        scenario: only what was heard last is said
        feature: \(name)
        inputs:
          heard: {0: ma, 100: marble}
        expect:
          said: {400: marble}
          isWaiting: [[0, false], [0, true], [400, false]]

        """
    }

    private var makefile: String {
        """
        # Where marbled is. A checkout, or the place where it is installed; edit it here.
        MARBLED_FOLDER ?= \(folder)
        INCLUDE ?= $(firstword $(wildcard $(MARBLED_FOLDER)/Sources/CMarbledABI/include \\
        \t$(MARBLED_FOLDER)/include) $(MARBLED_FOLDER))
        MARBLED ?= \(program("marbled"))
        MARBLECTL ?= \(program("marblectl"))
        CFLAGS ?= -O2 -g
        LIBRARY := build/lib\(type).so

        .PHONY: build test check run clean

        build: $(LIBRARY)
        \t$(MARBLED) manifest $(LIBRARY) --write

        $(LIBRARY): $(wildcard Sources/*.c Sources/*.h)
        \tmkdir -p build
        \t$(CC) -std=c11 -Wall -Wextra -Wpedantic -Werror $(CFLAGS) -fPIC -shared -I "$(INCLUDE)" \\
        \t\t-o $@ Sources/*.c

        # A private daemon for the length of the command runs the scenarios.
        test: build
        \tMARBLED_PLUGIN_PATH=build $(MARBLECTL) --spawn test scenarios

        check: build
        \t$(MARBLECTL) plugin check $(LIBRARY)

        # A daemon with this plugin, on the socket that SOCKET names.
        run: build
        \t$(MARBLED) --plugin-path build --socket $(or $(SOCKET),/tmp/\(name).sock)

        clean:
        \trm -rf build

        """
    }

    private var readme: String {
        """
        # \(name)

        Says what it hears once nothing more has come for 300 milliseconds. A plugin of marbled, in C11: the
        header `marbled.h` and libc are all it needs.

        | input | value | does |
        |---|---|---|
        | `heard` | text | is said once nothing more has come |

        | output | kind | first value |
        |---|---|---|
        | `said` | event | |
        | `isWaiting` | state | false |

        ```
        make          # the library and its manifest: build/lib\(type).so
        make test     # the scenarios, in virtual time
        make check    # does it keep a plugin's promises?
        make run      # a daemon with it
        ```

        To install it, put the library and its `.plugin.json` into a folder that `marbled --plugin-path` names.

        """
    }
}
