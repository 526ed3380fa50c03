import { edgesOf } from "../graph/edges.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId } from "../graph/NodeId.ts"
import type { WorkflowNode } from "../graph/Node.ts"
import { nodeInWords } from "./labels.ts"
import { asLabel } from "./mermaid.ts"

const shapes: Readonly<Record<WorkflowNode["kind"], readonly [string, string]>> = {
  action: ["[", "]"],
  wait: ["([", "])"],
  wait_for: ["([", "])"],
  branch: ["{", "}"],
  split: ["{", "}"],
  end: ["((", "))"]
}

const shown = (name: string, [open, close]: readonly [string, string], label: string) =>
  `  ${name}${open}"${label}"${close}`

const labelOf = (node: WorkflowNode, live: number) =>
  [asLabel(node.id), asLabel(nodeInWords(node)), ...(live === 0 ? [] : [`${live} live`])].join("<br>")

const arrow = (from: string, to: string, label: string | null) =>
  label === null ? `  ${from} --> ${to}` : `  ${from} -->|"${asLabel(label)}"| ${to}`

const nobody: ReadonlyMap<NodeId, number> = new Map()

/**
 * A graph as Mermaid, with how many are in each node. Nodes are named by their places, as ids may be words of Mermaid; what a draft names without its being there is
 * shown as missing.
 */
export const diagramOf = ({ entry, nodes }: Graph, live = nobody): string => {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const missing = new Map<string, string>()
  const nameOf = (id: (typeof nodes)[number]["id"]) => {
    const name = names.get(id) ?? missing.get(id) ?? `m${missing.size}`
    if (!names.has(id)) missing.set(id, name)
    return name
  }
  const begins = entry === undefined ? [] : [shown("entry", ["[[", "]]"], asLabel(entry.event?.event ?? "called"))]
  const arrows = [
    ...(entry === undefined ? [] : [arrow("entry", nameOf(entry.next), null)]),
    ...nodes.flatMap((node, index) => edgesOf(node).map(({ label, to }) => arrow(`n${index}`, nameOf(to), label)))
  ]
  return [
    "flowchart TD",
    ...begins,
    ...nodes.map((node, index) => shown(`n${index}`, shapes[node.kind], labelOf(node, live.get(node.id) ?? 0))),
    ...Array.from(missing, ([id, name]) => shown(name, [">", "]"], `${asLabel(id)}<br>missing`)),
    ...arrows,
    ""
  ].join("\n")
}
