import { ParleyClient } from "@parley/http-adapter/client"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Refused } from "../console/Failure.ts"
import { chooseOne, suggestion } from "../console/nearest.ts"
import {
  isOperatorLogin,
  type KnownOrganization,
  type NamedProfile,
  type ProfileFolder,
  profileFolder
} from "../profiles/ProfileFolder.ts"
import { requireSafe } from "../tenant/target.ts"
import { type Asker, layerHttp } from "./http.ts"

/** A large file can take this long to upload in one attempt. */
const patience = { attemptTimeout: "5 minutes" } as const

/** Describes a profile, with the command that logs in again. */
export const askerOf = ({ name, profile }: NamedProfile): Asker => ({
  address: profile.server,
  logIn: `parley login --profile ${name}${isOperatorLogin(profile) || (profile.email === null && profile.tokens !== null) ? " --token -" : ""}`
})

/** Tokens in the profile file. All processes of this login share the file. */
const shared = Effect.fnUntraced(function* (folder: ProfileFolder, name: string) {
  const found = yield* Effect.orElseSucceed(folder.find(name), () => Option.none<NamedProfile>())
  const tokens = Option.match(found, { onNone: () => null, onSome: ({ profile }) => profile.tokens })
  return tokens === null || tokens.refreshToken === null
    ? null
    : { accessToken: tokens.accessToken, refreshToken: tokens.refreshToken }
})

/** Creates a client with the login of a profile. Stores renewed tokens for the next process. */
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
        // A concurrent logout stays in effect.
        if (Option.isNone(found) || found.value.profile.tokens === null) return
        yield* folder.write(name, { ...found.value.profile, tokens })
      }).pipe(
        Effect.catch((failure) =>
          Effect.logWarning(`The renewed login was not stored: ${failure.message} The next command needs a new login.`)
        ),
        Effect.provideContext(context)
      )
  }).pipe(Effect.provide(layerHttp))
})

/** Ends the session of a login at its service. Returns whether the service has no session left. An automation token is not a session. */
export const endSession = Effect.fnUntraced(function* (settings: Settings, target: NamedProfile) {
  if (target.profile.tokens?.refreshToken === undefined || target.profile.tokens.refreshToken === null) return true
  return yield* Effect.flatMap(connect(settings, target), (client) => client.account.logout()).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false)
  )
})

/** Rejects an operator token for a command in an organization. */
export const requireMember = ({ name, profile }: NamedProfile) =>
  isOperatorLogin(profile)
    ? new Refused({
        message: `The profile ${name} is an operator token, which has no access to organizations. Use the login of a member with --profile, or log in as one: parley login --server https://parley.example`
      })
    : Effect.void

/** Name that users type for an organization. */
export const typedName = ({ name, slug }: KnownOrganization) => slug ?? name

const slugOf = Effect.fnUntraced(function* (client: ParleyClient.Client, id: string) {
  const { ParleyClient } = yield* Effect.promise(() => import("@parley/http-adapter/client"))
  return yield* client.organization.get().pipe(
    ParleyClient.inOrganization(id),
    Effect.map(({ slug }) => slug),
    // A suspended or unreadable organization has its name and id.
    Effect.orElseSucceed(() => null)
  )
})

/** Adds slugs to the organizations of a login, because users know them by slug. */
export const withSlugs = (
  client: ParleyClient.Client,
  organizations: ReadonlyArray<{ readonly id: string; readonly name: string }>
) =>
  Effect.forEach(
    organizations,
    ({ id, name }) => Effect.map(slugOf(client, id), (slug): KnownOrganization => ({ id, slug, name })),
    { concurrency: 4 }
  )

const isMeant = (typed: string) => (organization: KnownOrganization) =>
  organization.id === typed || organization.slug === typed || organization.name === typed

/** Returns the organization with this slug, id or name, or the only one of the login. */
export const meantOf = Effect.fnUntraced(function* (
  organizations: ReadonlyArray<KnownOrganization>,
  named: Option.Option<string>,
  logIn: string
) {
  const candidates = Option.match(named, {
    onNone: () => organizations,
    onSome: (typed) => organizations.filter(isMeant(typed))
  })
  const [meant, another] = candidates
  if (another !== undefined) return yield* new WrongUsage({ message: chooseOne(candidates.map(typedName)) })
  if (meant !== undefined) return meant
  const names = organizations.map(typedName)
  return yield* new Refused({
    message: Option.match(named, {
      onNone: () => `You are not a member of an organization. After you have joined one, log in again: ${logIn}`,
      onSome: (typed) =>
        `You are not a member of "${typed}".${suggestion(typed, names)} To see newly joined organizations, log in again: ${logIn}`
    })
  })
})
