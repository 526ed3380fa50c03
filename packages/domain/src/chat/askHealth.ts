import { Effect } from "effect"
import { type ChannelFailure, ChatChannel, type Line } from "./ChatChannel.ts"
import { ChatNumberUnknown, ChatTokenRefused } from "./Errors.ts"

const asFault = (failure: ChannelFailure) => {
  if (failure._tag === "ChannelUnreachable") return failure
  const { code, reason, remedy } = failure
  switch (remedy) {
    case "reauthorize":
      return new ChatTokenRefused({ providerCode: code, reason })
    case "give_up":
      return new ChatNumberUnknown({ providerCode: code, reason })
    default:
      return failure
  }
}

/** How a number is doing that is to be connected: that it is there and may be used, only the provider can say. */
export const askHealth = Effect.fnUntraced(function* (line: Line) {
  return yield* Effect.mapError((yield* ChatChannel).health(line), asFault)
})
