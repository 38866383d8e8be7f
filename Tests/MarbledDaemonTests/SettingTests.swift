// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import Testing

/// The table of settings: it names what can be set, and the daemon takes what it names.
@Suite struct SettingTests {
    private static func yaml(_ setting: Setting) -> String {
        let parts = setting.name.split(separator: ".")
        return parts.count == 1
            ? "\(setting.name): \(setting.example)"
            : "\(parts[0]): {\(parts[1]): \(setting.example)}"
    }

    @Test func `each setting stands once`() {
        let names = Setting.table.map(\.name)
        #expect(Set(names).count == names.count)
        let variables = Setting.variables
        #expect(Set(variables).count == variables.count)
    }

    @Test(arguments: Setting.table.indices)
    func `the file takes the setting`(_ index: Int) throws {
        let settings = try Settings(yaml: Self.yaml(Setting.table[index]), name: "f")
        #expect(settings != Settings())
    }

    @Test(arguments: Setting.table.indices)
    func `the environment takes the variable, to the same effect as the file`(_ index: Int) throws {
        let setting = Setting.table[index]
        guard let variable = setting.variable else { return }
        let value = setting.example.filter { !"[]".contains($0) }
        #expect(
            try Settings(environment: [variable: value])
                == Settings(yaml: Self.yaml(setting), name: "f"))
    }

    @Test(arguments: [
        ("sockett: /s", "did you mean \"socket\"?"), ("sockett: /s", "limits"),
        ("access: {user: {}}", "did you mean \"users\"?"),
        ("http: {authority: /f}", "known: authorities, secretHeaders"),
    ])
    func `a name that is none is refused with what there is`(_ yaml: String, _ hint: String) {
        let error = #expect(throws: ConfigurationError.self) { try Settings(yaml: yaml, name: "f") }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }
}
