import { Effect, type Option } from "effect"
import { type Account, explainedFor, loginTo } from "./login.ts"

/** Logs in, asks for a one-time link to the documentation, and logs out. */
export const linkToDocs = Effect.fnUntraced(function* (account: Account, wanted: Option.Option<string>) {
  const { client } = yield* loginTo(account, wanted)
  return yield* client.docs
    .handoff()
    .pipe(Effect.mapError(explainedFor(account.address)), Effect.ensuring(Effect.ignore(client.account.logout())))
})
