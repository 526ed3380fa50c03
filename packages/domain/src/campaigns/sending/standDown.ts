import { Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { failRemoved } from "./endOfRemoved.ts"
import { pauseAllOf, pauseByItself } from "./pauseByItself.ts"
import type { Unfit } from "./Surroundings.ts"

/** Does what is to be done with a broadcast that cannot be sent as it is. */
export const standDown = Effect.fnUntraced(function* (id: BroadcastId, { unfit }: Unfit, account: ChatAccountId) {
  switch (unfit) {
    case "suspended":
      return yield* pauseAllOf(account, "suspended")
    case "chat_account_disconnected":
      return yield* pauseAllOf(account, "account")
    case "template":
      return yield* pauseByItself(id, "template")
    case "chat_account_removed":
      return yield* failRemoved(id)
  }
})
