// SPDX-License-Identifier: Apache-2.0

internal import CLibYAML

/// Reads YAML with libyaml and makes trees of it.
///
/// Bounded: values are nested at most 64 deep. Ends with the call; nothing is kept.
package struct YAMLReader: ~Copyable {
    private static let depthLimit = 64
    // On the heap: libyaml keeps the address of its own parser.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private var event = yaml_event_t()

    /// Every document of `text`; documents are separated by `---`.
    package static func documents(_ text: String) throws(YAMLError) -> [YAMLNode] {
        var bytes = Array(text.utf8)
        // libyaml reads the text while it parses: it stays in place until the last event.
        let outcome = bytes.withUnsafeMutableBufferPointer { bytes in
            Result { () throws(YAMLError) in
                var reader = YAMLReader(bytes)
                return try reader.read()
            }
        }
        return try outcome.get()
    }

    private init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        let made = yaml_parser_initialize(parser)
        precondition(made == 1, "there is no memory for a YAML parser")
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        var last = event
        yaml_event_delete(&last)
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    private mutating func read() throws(YAMLError) -> [YAMLNode] {
        var documents: [YAMLNode] = []
        while true {
            try advance()
            switch event.type {
            case YAML_STREAM_END_EVENT: return documents
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: break
            default: documents.append(try node(depth: 0))
            }
        }
    }

    /// The node that the current event begins; ends at that node's last event.
    private mutating func node(depth: Int) throws(YAMLError) -> YAMLNode {
        guard depth < Self.depthLimit else {
            throw fault("values are nested deeper than \(Self.depthLimit) levels")
        }
        let line = Int(event.start_mark.line) + 1
        let column = Int(event.start_mark.column) + 1
        let content: YAMLNode.Content
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                as: UTF8.self)
            try refuseAnchor(scalar.anchor)
            content = .scalar(text, isQuoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            try refuseAnchor(event.data.sequence_start.anchor)
            var items: [YAMLNode] = []
            while try advance(until: YAML_SEQUENCE_END_EVENT) {
                items.append(try node(depth: depth + 1))
            }
            content = .sequence(items)
        case YAML_MAPPING_START_EVENT:
            try refuseAnchor(event.data.mapping_start.anchor)
            var pairs: [YAMLNode.Pair] = []
            while try advance(until: YAML_MAPPING_END_EVENT) {
                let key = try node(depth: depth + 1)
                try advance()
                pairs.append(.init(key: key, value: try node(depth: depth + 1)))
            }
            content = .mapping(pairs)
        default:
            throw fault("an alias is not known here; write the value out")
        }
        return YAMLNode(content: content, line: line, column: column)
    }

    private mutating func advance(until end: yaml_event_type_t) throws(YAMLError) -> Bool {
        try advance()
        return event.type != end
    }

    private mutating func advance() throws(YAMLError) {
        yaml_event_delete(&event)
        guard yaml_parser_parse(parser, &event) == 1 else {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
            throw YAMLError(
                message: "this is not YAML: \(problem)",
                line: Int(parser.pointee.problem_mark.line) + 1,
                column: Int(parser.pointee.problem_mark.column) + 1)
        }
    }

    private func refuseAnchor(_ anchor: UnsafeMutablePointer<yaml_char_t>?) throws(YAMLError) {
        if anchor != nil { throw fault("an anchor is not known here; write the value out") }
    }

    private func fault(_ message: String) -> YAMLError {
        YAMLError(
            message: message, line: Int(event.start_mark.line) + 1,
            column: Int(event.start_mark.column) + 1)
    }
}
