import type { ContactId } from "../../../../crm/index.ts"
import type { WorkflowId } from "../../../automations/index.ts"
import type { SplitNode } from "../../graph/Node.ts"
import type { NodeId } from "../../graph/NodeId.ts"

const prime = 0x01000193

/** Where a text falls, from 0 to below 1: FNV-1a, whose bits are mixed once more. It must never change. */
const shareOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), prime)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Which path a contact takes: that depends on nothing but who comes to which node of which workflow. */
export const pathOf = (
  { id, paths }: Pick<SplitNode, "id" | "paths">,
  workflowId: WorkflowId,
  contactId: ContactId
): { readonly index: number; readonly next: NodeId } | null => {
  const share = shareOf(`${workflowId}:${id}:${contactId}`) * 100
  let reached = 0
  for (const [index, { next, percent }] of paths.entries()) {
    reached += percent
    if (share < reached) return { index, next }
  }
  const last = paths.at(-1)
  return last === undefined ? null : { index: paths.length - 1, next: last.next }
}
