// SPDX-License-Identifier: Apache-2.0

/// Who listens to the outputs of an instance. Called on the loop, in the middle of the instance's work:
/// it notes or writes what it is told and calls nothing of the host.
package protocol OutputSubscriber: AnyObject {
    /// An output said something.
    func outputSaid(_ said: OutputEvent)

    /// The instance is over; nothing more comes.
    func instanceEnded(_ instance: Instance, reason: String)
}

/// One thing that an output said. Valid for the length of the call.
package struct OutputEvent {
    /// Whose output.
    package let instance: Instance
    /// Its number in the record.
    package let number: Int
    /// The output's number among the instance's outputs.
    package let output: Int
    /// When, in nanoseconds since the instance opened.
    package let at: Int64
    package let event: Record.Event
    /// The JSON text; empty for a completion.
    package let value: UnsafeRawBufferPointer

    package init(
        instance: Instance, number: Int, output: Int, at: Int64, event: Record.Event,
        value: UnsafeRawBufferPointer
    ) {
        self.instance = instance
        self.number = number
        self.output = output
        self.at = at
        self.event = event
        self.value = value
    }
}
