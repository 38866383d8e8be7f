// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "marbled_curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

// The functions taken from libcurl: one line each here is all there is to add one.
#define FUNCTIONS(F) \
    F(global_init) F(easy_init) F(easy_cleanup) F(easy_setopt) F(easy_getinfo) F(easy_strerror) \
    F(slist_append) F(slist_free_all) F(multi_init) F(multi_cleanup) F(multi_setopt) \
    F(multi_add_handle) F(multi_remove_handle) F(multi_socket_action) F(multi_info_read) F(url) \
    F(url_cleanup) F(url_set) F(url_get) F(free)

// The header wraps some of them in macros of the same name.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
#define MEMBER(name) __typeof__(&curl_##name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
    // The name of the ABI, which has been the same since 2006.
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        failure = "libcurl.so.4 cannot be loaded; install the package libcurl4";
        return;
    }
#define FIND(name) \
    *(void **)&curl.name = dlsym(library, "curl_" #name); \
    if (!curl.name) { \
        failure = "libcurl.so.4 has no curl_" #name "; install libcurl 7.87 or later"; \
        return; \
    }
    FUNCTIONS(FIND)
#undef FIND
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        failure = "libcurl cannot be initialised";
    }
}

const char *marbled_curl_load(void) {
    pthread_once(&once, load);
    return failure;
}

// MARK: One transfer

CURL *marbled_easy_init(void) { return curl.easy_init(); }

void marbled_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }

CURLcode marbled_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode marbled_easy_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode marbled_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode marbled_easy_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

CURLcode marbled_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl.easy_setopt(easy, option, list);
}

long marbled_easy_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl.easy_getinfo(easy, info, &value);
    return value;
}

const char *marbled_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

static curl_socket_t open_socket(
    void *data, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)data;
    (void)purpose;
    return socket(
        address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

CURLcode marbled_easy_set_receivers(
    CURL *easy, marbled_receive head, marbled_receive body, marbled_connected connected,
    void *data) {
    CURLcode code = curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_HEADERDATA, data);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_WRITEDATA, data);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, connected);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_PREREQDATA, data);
    if (!code) code = curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    return code;
}

struct curl_slist *marbled_slist_append(struct curl_slist *list, const char *text) {
    return curl.slist_append(list, text);
}

void marbled_slist_free(struct curl_slist *list) { curl.slist_free_all(list); }

// MARK: All transfers

CURLM *marbled_multi_init(
    marbled_socket_changed socket, marbled_timer_changed timer, void *data,
    long kept_connections) {
    CURLM *multi = curl.multi_init();
    if (!multi) return NULL;
    curl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl.multi_setopt(multi, CURLMOPT_SOCKETDATA, data);
    curl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl.multi_setopt(multi, CURLMOPT_TIMERDATA, data);
    curl.multi_setopt(multi, CURLMOPT_MAXCONNECTS, kept_connections);
    return multi;
}

void marbled_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }

CURLMcode marbled_multi_add(CURLM *multi, CURL *easy) {
    return curl.multi_add_handle(multi, easy);
}

CURLMcode marbled_multi_remove(CURLM *multi, CURL *easy) {
    return curl.multi_remove_handle(multi, easy);
}

CURLMcode marbled_multi_act(CURLM *multi, curl_socket_t socket, int events) {
    int running = 0;
    return curl.multi_socket_action(multi, socket, events, &running);
}

CURL *marbled_multi_next_ended(CURLM *multi, CURLcode *result) {
    int waiting = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(multi, &waiting))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

// MARK: Addresses

CURLU *marbled_url_init(void) { return curl.url(); }

void marbled_url_cleanup(CURLU *url) { curl.url_cleanup(url); }

CURLUcode marbled_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
    return curl.url_set(url, part, text, flags);
}

char *marbled_url_get(CURLU *url, CURLUPart part, unsigned flags) {
    char *text = NULL;
    return curl.url_get(url, part, &text, flags) == CURLUE_OK ? text : NULL;
}

void marbled_text_free(char *text) { curl.free(text); }
