import type { NodeId } from "./NodeId.ts"
import type { WorkflowNode } from "./Node.ts"

/** A way from a node to another one, where it stands in the node, and what it is taken for. */
export interface Edge {
  readonly to: NodeId
  readonly pointer: string
  readonly label: string | null
}

const edge = (to: NodeId, pointer: string, label: string | null = null): Edge => ({ to, pointer, label })

/** The ways from a node. */
export const edgesOf = (node: WorkflowNode): ReadonlyArray<Edge> => {
  switch (node.kind) {
    case "action": {
      const { next, onError } = node
      const failing = typeof onError === "object" ? [edge(onError.to, "/onError/to", "failed")] : []
      return [edge(next, "/next"), ...failing]
    }
    case "wait":
      return [edge(node.next, "/next")]
    case "wait_for":
      return [edge(node.next, "/next", "event"), edge(node.timeout, "/timeout", "timeout")]
    case "branch":
      return [
        ...node.branches.map(({ next }, index) => edge(next, `/branches/${index}/next`, `${index + 1}`)),
        edge(node.else, "/else", "else")
      ]
    case "split":
      return node.paths.map(({ next, percent }, index) => edge(next, `/paths/${index}/next`, `${percent} %`))
    case "end":
      return []
  }
}

/** Whether a run rests in the node, so that a circle through it goes round no faster than time. */
export const isWaiting = ({ kind }: WorkflowNode): boolean => kind === "wait" || kind === "wait_for"
