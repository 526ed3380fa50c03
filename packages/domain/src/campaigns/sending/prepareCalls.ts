import type { DateTime } from "effect"
import type { ChatAccountId, Outgoing } from "../../messaging/chat/index.ts"
import type { ContactId } from "../../crm/index.ts"
import { recipientIdAt, recipientPrefix } from "../recipientId.ts"
import type { BroadcastWindow, Candidate } from "../RecipientLedger.ts"
import type { Counted } from "./countReach.ts"
import type { Decision } from "./decide.ts"

/** A recipient in hand, ready to be given to the provider. */
export interface PreparedCall {
  readonly seq: number
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
  readonly windowId: string
  readonly claimedAt: DateTime.Utc
  /** How often it was called before, as far as that counts. */
  readonly attempts: number
  readonly outgoing: Outgoing
  /** As whom it counts for the daily limit; `null` where it does not. */
  readonly counted: Counted | null
}

/** A candidate, and what is to become of it. */
export interface Decided {
  readonly candidate: Candidate
  readonly decision: Decision
}

/** Those that are sent to. */
export const readyOf = (decided: ReadonlyArray<Decided>) =>
  decided.flatMap(({ candidate, decision }) => {
    const { address, contactId } = candidate
    return decision.kind === "send" && address !== null ? [{ candidate, contactId, address, decision }] : []
  })

/** Somebody who is sent to. */
export type Ready = ReturnType<typeof readyOf>[number]

/** What the provider is given for those who are sent to, and the window that is kept of it. `asWhom` says as whom they count for the daily limit. */
export const prepareCalls = (
  ready: ReadonlyArray<Ready>,
  { broadcastId, claimedAt, fence, id: windowId }: Omit<BroadcastWindow, "calls">,
  chatAccountId: ChatAccountId,
  asWhom: (ready: Ready) => Counted | null
) => {
  const prefix = recipientPrefix(broadcastId)
  const calls = ready.map((each): PreparedCall => {
    const { address, candidate, contactId, decision } = each
    const { attempts, seq } = candidate
    const outgoing: Outgoing = {
      to: address,
      content: { kind: "template", template: decision.filling },
      replyTo: null,
      reference: recipientIdAt(prefix, seq)
    }
    return { seq, contactId, chatAccountId, windowId, claimedAt, attempts, outgoing, counted: asWhom(each) }
  })
  const kept = ready.map(({ candidate: { seq }, contactId, decision }) => ({ seq, contactId, values: decision.values }))
  const window: BroadcastWindow = { id: windowId, broadcastId, fence, claimedAt, calls: kept }
  return { calls, window }
}
