// SPDX-License-Identifier: Apache-2.0

/// First come, first served: an array with a head, so that taking the first moves nothing.
///
/// It states no bound of its own; whoever keeps one says what bounds it.
@usableFromInline
package struct Queue<Element> {
    /// What was taken leaves nil, so that what it holds goes away with whoever took it.
    @usableFromInline var elements: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable
    package init() {}

    /// Whether nothing waits.
    @inlinable package var isEmpty: Bool { head == elements.count }

    /// How many wait.
    @inlinable package var count: Int { elements.count - head }

    /// Who is next, if anybody waits.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// Puts `element` behind the others.
    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Takes out the next one, or returns nil when nothing waits.
    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            // Room for a few serves again; that of a burst goes.
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if head > 64, head > elements.count / 2 {
            // As many as remain were taken, so each element is moved once on the average.
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
