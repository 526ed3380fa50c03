import { assert, describe, it } from "@effect/vitest"
import { validateGraphStructure, type Graph, NodeId, type WorkflowNode } from "@parley/domain/automation"
import { Arbitrary, Effect, Schema } from "effect"

const id = (name: string) => NodeId.make(name)

const end = (name = "e"): WorkflowNode => ({ id: id(name), kind: "end" })

const wait = (name: string, next: string): WorkflowNode => ({ id: id(name), kind: "wait", seconds: 60, next: id(next) })

const branch = (name: string, next: string, otherwise: string): WorkflowNode => ({
  id: id(name),
  kind: "branch",
  branches: [{ if: {}, next: id(next) }],
  else: id(otherwise)
})

const split = (name: string, ...paths: ReadonlyArray<readonly [percent: number, next: string]>): WorkflowNode => ({
  id: id(name),
  kind: "split",
  paths: paths.map(([percent, next]) => ({ percent, next: id(next) }))
})

const graphOf = (nodes: ReadonlyArray<WorkflowNode>, more: Partial<Graph> = {}): Graph => ({
  entry: { next: nodes[0]?.id ?? id("e") },
  nodes,
  ...more
})

const summary = (graph: Graph) => validateGraphStructure(graph).map(({ message, pointer }) => `${pointer}: ${message}`)
const pointers = (graph: Graph) => validateGraphStructure(graph).map(({ pointer }) => pointer)

const number = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))

/** A valid graph: each node leads to later ones, and the last one ends. */
const soundGraph = (seed: number, size: number): Graph => {
  let state = seed
  const later = (index: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return `n${index + 1 + ((state >>> 8) % (size - index - 1))}`
  }
  const nodes = Array.from({ length: size }, (_, index): WorkflowNode => {
    const name = `n${index}`
    const next = `n${index + 1}`
    if (index === size - 1) return end(name)
    if (index % 3 === 0) return branch(name, next, later(index))
    return index % 3 === 1 ? split(name, [40, next], [60, later(index)]) : wait(name, next)
  })
  return graphOf(nodes)
}

describe("the validation errors of a graph", () => {
  it("are none where everything is reached and ends", () => {
    assert.deepStrictEqual(summary(graphOf([end()])), [])
    assert.deepStrictEqual(summary(graphOf([branch("b", "w", "e"), wait("w", "b"), end()])), [], "a circle with a wait")
  })

  it("are all reported together with their places", () => {
    const graph = graphOf([
      branch("b", "nowhere", "e"),
      { id: id("w"), kind: "wait", next: id("e") },
      split("b", [50, "e"], [40, "e"]),
      end()
    ])
    assert.deepStrictEqual(summary(graph), [
      "/graph/nodes/2/id: Expected a unique node id",
      "/graph/nodes/1: Expected at least one of: seconds, until, scheduleId",
      "/graph/nodes/2/paths: Expected percentages with the sum 100, got 90",
      "/graph/nodes/0/branches/0/next: There is no node with this id",
      "/graph/nodes/1: No path leads to this node"
    ])
  })

  it("name an entry that is missing, or leads nowhere, once", () => {
    assert.deepStrictEqual(pointers({ nodes: [end()] }), ["/graph/entry"])
    assert.deepStrictEqual(pointers({ entry: { next: id("x") }, nodes: [end()] }), ["/graph/entry/next"])
  })

  it("name the way into each circle without a wait, and what never ends", () => {
    const circle = graphOf([branch("a", "b", "e"), branch("b", "a", "a"), end()])
    assert.deepStrictEqual(summary(circle), ["/graph/nodes/0/branches/0/next: Expected a wait in this loop"])
    const alone = graphOf([branch("a", "b", "e"), wait("b", "b"), end()])
    assert.deepStrictEqual(summary(alone), ["/graph/nodes/1: No path leads from this node to an end"])
    const own = graphOf([branch("a", "e", "a"), end()])
    assert.deepStrictEqual(pointers(own), ["/graph/nodes/0/else"])
    const failing: WorkflowNode = {
      id: id("a"),
      kind: "action",
      action: { type: "set_priority", priority: "high" },
      onError: { to: id("a") },
      next: id("e")
    }
    assert.deepStrictEqual(pointers(graphOf([failing, end()])), ["/graph/nodes/0/onError/to"])
  })

  it("name goals and exits that ask for nothing, or have the id of another", () => {
    const marks: Partial<Graph> = {
      goals: [{ id: id("g") }, { id: id("h"), event: { event: "order.created" } }],
      exits: [{ id: id("g"), if: {} }]
    }
    assert.deepStrictEqual(pointers(graphOf([end()], marks)), ["/graph/exits/0/id", "/graph/goals/0", "/graph/exits/0"])
  })

  it.effect.prop("are none of a sound graph, and one once a way of it leads nowhere", [number, number], ([seed, at]) =>
    Effect.sync(() => {
      const size = 2 + (seed % 30)
      const graph = soundGraph(seed, size)
      assert.deepStrictEqual(summary(graph), [])
      const index = at % (size - 1)
      const nodes = graph.nodes.map((node, place) =>
        place === index ? split(node.id, [50, `n${index + 1}`], [50, "nowhere"]) : node
      )
      assert.include(summary({ ...graph, nodes }), `/graph/nodes/${index}/paths/1/next: There is no node with this id`)
    })
  )

  it.effect.prop("include a cycle without a wait", [number, number], ([seed, at]) =>
    Effect.sync(() => {
      const graph = soundGraph(seed, 3 + (seed % 30))
      const last = graph.nodes.length - 1
      const to = at % last
      const hasty = graph.nodes.map((node, place) =>
        place === last
          ? branch(node.id, `n${to}`, "e")
          : node.kind === "wait"
            ? branch(node.id, node.next, node.next)
            : node
      )
      const circles = summary({ ...graph, nodes: [...hasty, end()] }).filter((fault) => fault.endsWith("in this loop"))
      assert.lengthOf(circles, 1)
    })
  )
})
