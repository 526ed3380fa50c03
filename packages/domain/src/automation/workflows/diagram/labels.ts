import type { WorkflowNode } from "../graph/Node.ts"
import type { WaitNode } from "../graph/Wait.ts"

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1]
] as const

/** Seconds in the largest units that they are made of: `1 d 12 h`. */
export const spanInWords = (seconds: number): string => {
  let rest = seconds
  const parts: Array<string> = []
  for (const [unit, size] of units) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.join(" ")
}

const waitInWords = ({ scheduleId, seconds, until }: WaitNode): string =>
  [
    "wait",
    ...(seconds === undefined ? [] : [spanInWords(seconds)]),
    ...(until === undefined
      ? []
      : [`until ${until.localTime}`, ...(until.days === undefined ? [] : [until.days.join(", ")])]),
    ...(scheduleId === undefined ? [] : ["until open"])
  ].join(" ")

/** What a node does, in a few words. */
export const nodeInWords = (node: WorkflowNode): string => {
  switch (node.kind) {
    case "action":
      return node.action.type
    case "wait":
      return waitInWords(node)
    case "wait_for":
      return `wait for ${node.event.event}, at most ${spanInWords(node.timeoutSeconds)}`
    case "branch":
    case "split":
    case "end":
      return node.kind
  }
}
