import { assert, describe, it } from "@effect/vitest"
import { renderWorkflowDiagram, type Graph, NodeId } from "@parley/domain/automation"
import { escapeLabel } from "../../../src/automation/workflows/workflowDiagram.ts"

const id = (name: string) => NodeId.make(name)

describe("the diagram of a workflow", () => {
  it("names its nodes by their places, since ids may be words of Mermaid", () => {
    const graph: Graph = {
      entry: { event: { event: "cart.abandoned", seconds: 3_600 }, next: id("graph") },
      nodes: [
        {
          id: id("graph"),
          kind: "wait",
          seconds: 129_660,
          until: { localTime: "09:00", days: ["mon", "tue"] },
          next: id("half")
        },
        {
          id: id("half"),
          kind: "split",
          paths: [
            { percent: 50, next: id("answer") },
            { percent: 50, next: id("end") }
          ]
        },
        {
          id: id("answer"),
          kind: "wait_for",
          event: { event: "message.received" },
          timeoutSeconds: 86_400,
          next: id("end"),
          timeout: id("gone")
        },
        { id: id("end"), kind: "end" }
      ]
    }
    assert.deepStrictEqual(renderWorkflowDiagram(graph).split("\n"), [
      "flowchart TD",
      '  entry[["cart.abandoned"]]',
      '  n0(["graph<br>wait 1 d 12 h 1 min until 09:00 mon, tue"])',
      '  n1{"half<br>split"}',
      '  n2(["answer<br>wait for message.received, at most 1 d"])',
      '  n3(("end<br>end"))',
      '  m0>"gone<br>missing"]',
      "  entry --> n0",
      "  n0 --> n1",
      '  n1 -->|"50 %"| n2',
      '  n1 -->|"50 %"| n3',
      '  n2 -->|"event"| n3',
      '  n2 -->|"timeout"| m0',
      ""
    ])
  })

  it("says how many are in a node", () => {
    const graph: Graph = { entry: { next: id("end") }, nodes: [{ id: id("end"), kind: "end" }] }
    assert.include(renderWorkflowDiagram(graph, new Map([[id("end"), 12]])), '  n0(("end<br>end<br>12 live"))')
  })

  it("shows a draft that says nothing", () => {
    assert.strictEqual(renderWorkflowDiagram({ nodes: [] }), "flowchart TD\n")
  })

  it("escapes and truncates every text", () => {
    const hostile = `"]; click n0 "javascript:alert(1)" <img src=x>#&\n%%{init}%%`
    assert.notMatch(escapeLabel(hostile), /["<>&`\\\n]/u)
    assert.include(escapeLabel(hostile), "#34;]#59; click")
    assert.strictEqual(escapeLabel("a".repeat(80)), `${"a".repeat(60)}…`)
  })
})
