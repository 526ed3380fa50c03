import type { Settings } from "@parley/service/configuration"
import { Effect } from "effect"
import type { NamedProfile } from "../profiles/Profile.ts"
import { connect } from "./connect.ts"

/** Ends the session of a login at its service; says whether nothing of it is left there. An automation token is not a session. */
export const endSession = Effect.fnUntraced(function* (settings: Settings, target: NamedProfile) {
  if (target.profile.tokens?.refreshToken === undefined || target.profile.tokens.refreshToken === null) return true
  return yield* Effect.flatMap(connect(settings, target), (client) => client.account.logout()).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )
})
