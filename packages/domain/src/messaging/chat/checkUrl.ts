import { Effect } from "effect"
import { invalid } from "../../kernel/index.ts"
import { channelFor } from "./ChatChannels.ts"

/** Refuses an address that accounts of this provider cannot have. */
export const checkUrl = Effect.fnUntraced(function* (provider: string, url: string) {
  const fault = (yield* channelFor({ provider }, "endpoints")).faultOf(url)
  if (fault !== null) return yield* invalid("/url", fault)
})
