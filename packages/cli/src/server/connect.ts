import { ParleyClient } from "@parley/http-adapter/client"
import type { Settings } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Refused } from "../console/Failure.ts"
import type { NamedProfile } from "../profiles/Profile.ts"
import { type ProfileFolder, profileFolder } from "../profiles/ProfileFolder.ts"
import { requireSafe } from "./address.ts"
import type { Asker } from "./explained.ts"
import { layerHttp } from "./http.ts"

/** A file of any size goes up in the time of one attempt. */
const patience = { attemptTimeout: "5 minutes" } as const

/** What a profile is called in words that log in again. */
export const askerOf = ({ name, profile }: NamedProfile): Asker => ({
  address: profile.server,
  logIn: `parley login --profile ${name}${profile.email === null && profile.tokens !== null ? " --token -" : ""}`
})

/** The tokens in the file, which every process of this login reads and writes. */
const shared = Effect.fnUntraced(function* (folder: ProfileFolder, name: string) {
  const found = yield* Effect.orElseSucceed(folder.find(name), () => Option.none<NamedProfile>())
  const tokens = Option.match(found, { onNone: () => null, onSome: ({ profile }) => profile.tokens })
  return tokens === null || tokens.refreshToken === null
    ? null
    : { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken }
})

/** A client with the login of a profile. What it renews is kept for the next process. */
export const connect = Effect.fnUntraced(function* (settings: Settings, named: NamedProfile) {
  const { name, profile } = named
  yield* requireSafe(profile.server, profile.insecure)
  if (profile.tokens === null) {
    return yield* new Refused({
      message: `You are logged out at ${profile.server}. Log in: ${askerOf(named).logIn}`
    })
  }
  const folder = yield* profileFolder(settings)
  const { accessToken, refreshToken } = profile.tokens
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof folder.write>>>()
  return yield* ParleyClient.make({
    baseUrl: profile.server,
    token: accessToken,
    ...(refreshToken !== null && { refreshToken }),
    retry: patience,
    sharedTokens: Effect.provideContext(shared(folder, name), context),
    onTokens: (tokens) =>
      Effect.gen(function* () {
        const found = yield* folder.find(name)
        // Whoever has logged out meanwhile stays so.
        if (Option.isNone(found) || found.value.profile.tokens === null) return
        yield* folder.write(name, { ...found.value.profile, tokens })
      }).pipe(
        Effect.catch((failure) =>
          Effect.logWarning(`The renewed login is not kept: ${failure.message} The next command asks you to log in.`)
        ),
        Effect.provideContext(context)
      )
  }).pipe(Effect.provide(layerHttp))
})
