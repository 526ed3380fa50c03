import type { Graph } from "./graph/Graph.ts"
import type { NodeId, WaitNode, WorkflowNode } from "./graph/Node.ts"
import { edgesOf } from "./graph/graphPaths.ts"

/** Characters that end a label or are read as markup in it; `#` starts a character escape. */
const escapedCharacters = /["#&;<>\\`\p{Cc}\p{Cf}\u2028\u2029]/gu

const maxLabelLength = 60

/** Escapes an external text for a label, so it is never read as Mermaid or HTML. */
export const escapeLabel = (text: string): string => {
  const points = Array.from(text)
  const cut = points.length > maxLabelLength ? `${points.slice(0, maxLabelLength).join("")}…` : text
  return cut.replaceAll(escapedCharacters, (char) =>
    /\p{Cc}|\p{Cf}|[\u2028\u2029]/u.test(char) ? " " : `#${char.codePointAt(0)};`
  )
}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1]
] as const

/** Formats seconds in the largest units: `1 d 12 h`. */
const formatDuration = (seconds: number): string => {
  let rest = seconds
  const parts: Array<string> = []
  for (const [unit, size] of units) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.join(" ")
}

const describeWait = ({ scheduleId, seconds, until }: WaitNode): string =>
  [
    "wait",
    ...(seconds === undefined ? [] : [formatDuration(seconds)]),
    ...(until === undefined
      ? []
      : [`until ${until.localTime}`, ...(until.days === undefined ? [] : [until.days.join(", ")])]),
    ...(scheduleId === undefined ? [] : ["until open"])
  ].join(" ")

/** Describes a node in a few words. */
const describeNode = (node: WorkflowNode): string => {
  switch (node.kind) {
    case "action":
      return node.action.type
    case "wait":
      return describeWait(node)
    case "wait_for":
      return `wait for ${node.event.event}, at most ${formatDuration(node.timeoutSeconds)}`
    case "branch":
    case "split":
    case "end":
      return node.kind
  }
}

const shapes: Readonly<Record<WorkflowNode["kind"], readonly [string, string]>> = {
  action: ["[", "]"],
  wait: ["([", "])"],
  wait_for: ["([", "])"],
  branch: ["{", "}"],
  split: ["{", "}"],
  end: ["((", "))"]
}

const renderNode = (name: string, [open, close]: readonly [string, string], label: string) =>
  `  ${name}${open}"${label}"${close}`

const labelOf = (node: WorkflowNode, live: number) =>
  [escapeLabel(node.id), escapeLabel(describeNode(node)), ...(live === 0 ? [] : [`${live} live`])].join("<br>")

const arrow = (from: string, to: string, label: string | null) =>
  label === null ? `  ${from} --> ${to}` : `  ${from} -->|"${escapeLabel(label)}"| ${to}`

const noLiveRuns: ReadonlyMap<NodeId, number> = new Map()

/**
 * Renders a graph as Mermaid, with the number of runs per node. Nodes are named by position, because ids can be
 * Mermaid keywords. Unknown nodes of a draft are shown as missing.
 */
export const renderWorkflowDiagram = ({ entry, nodes }: Graph, live = noLiveRuns): string => {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]))
  const missing = new Map<string, string>()
  const nameOf = (id: (typeof nodes)[number]["id"]) => {
    const name = names.get(id) ?? missing.get(id) ?? `m${missing.size}`
    if (!names.has(id)) missing.set(id, name)
    return name
  }
  const begins =
    entry === undefined ? [] : [renderNode("entry", ["[[", "]]"], escapeLabel(entry.event?.event ?? "called"))]
  const arrows = [
    ...(entry === undefined ? [] : [arrow("entry", nameOf(entry.next), null)]),
    ...nodes.flatMap((node, index) => edgesOf(node).map(({ label, to }) => arrow(`n${index}`, nameOf(to), label)))
  ]
  return [
    "flowchart TD",
    ...begins,
    ...nodes.map((node, index) => renderNode(`n${index}`, shapes[node.kind], labelOf(node, live.get(node.id) ?? 0))),
    ...Array.from(missing, ([id, name]) => renderNode(name, [">", "]"], `${escapeLabel(id)}<br>missing`)),
    ...arrows,
    ""
  ].join("\n")
}
