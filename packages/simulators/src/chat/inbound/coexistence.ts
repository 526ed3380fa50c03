import { Struct } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { webhookError } from "../errorCodes.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { TellOfNumber } from "../values.ts"

export interface SyncedContact {
  readonly phone: string
  readonly fullName?: string
  readonly firstName?: string
  readonly action?: "add" | "remove"
}

export interface HistoryChunk {
  readonly phase: 0 | 1 | 2
  readonly order: number
  readonly progress: number
  readonly threads: ReadonlyArray<{
    readonly phone: string
    readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>
  }>
}

/** Contacts and history of a number that is also used in the WhatsApp Business app. */
export const makeCoexistence = (timeline: Timeline, tell: TellOfNumber) => ({
  syncContacts: (number: SimulatedNumber, contacts: ReadonlyArray<SyncedContact>) =>
    tell(number, "smb_app_state_sync", {
      state_sync: contacts.map(({ action = "add", firstName, fullName, phone }) => ({
        type: "contact",
        contact: {
          ...(fullName === undefined ? {} : { full_name: fullName }),
          ...(firstName === undefined ? {} : { first_name: firstName }),
          phone_number: phone
        },
        action,
        metadata: { timestamp: String(Math.floor(timeline.now() / 1_000)) }
      }))
    }),
  history: (number: SimulatedNumber, { order, phase, progress, threads }: HistoryChunk) =>
    tell(number, "history", {
      history: [
        {
          metadata: { phase, chunk_order: order, progress },
          threads: threads.map(({ messages, phone }) => ({
            id: phone,
            messages: messages.map((message) => ({ history_context: { status: "READ" }, ...message }))
          }))
        }
      ]
    }),
  /** Media of placeholders follow in messages of their own. */
  historyMedia: (number: SimulatedNumber, messages: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    tell(number, "history", { messages }),
  declineHistory: (number: SimulatedNumber) =>
    tell(number, "history", {
      history: [
        { errors: [Struct.omit(webhookError(2_593_109, "The business declined to share its history."), ["href"])] }
      ]
    })
})
