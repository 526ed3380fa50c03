import type { ChatAccountId } from "../../chat/index.ts"

/** Something of a chat account. */
export interface OfAccount<A> {
  readonly chatAccountId: ChatAccountId
  readonly of: A
}
