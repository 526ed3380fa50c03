import { Effect } from "effect"
import { type ChatAccountId, ChatAccounts } from "../../messaging/chat/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { failByItself, moveByItself } from "./moveByItself.ts"

/** A broadcast whose account was removed while it was sent has failed. */
export const failRemoved = (id: BroadcastId) =>
  failByItself(id, { code: "chat_account_removed", detail: "The chat account was removed." })

/**
 * Ends the broadcasts of an account that was removed: those that are sending have failed, those that are paused are cancelled. One that is
 * scheduled waits until it is due, by when the account may be connected again.
 */
export const endOfRemoved = Effect.fnUntraced(function* (account: ChatAccountId) {
  const [there] = yield* (yield* ChatAccounts).find([account])
  if (there !== undefined) return
  for (const { broadcastId, status } of yield* (yield* RecipientLedger).active(account)) {
    if (status === "sending") yield* failRemoved(broadcastId)
    if (status !== "paused") continue
    yield* moveByItself(broadcastId, "cancel", {
      change: { endReason: "account_removed" },
      reason: "account_removed"
    })
  }
})
