import { ParleyClient } from "@parley/http-adapter/client"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { type Failure, Refused } from "../console/Failure.ts"
import type { KnownOrganization } from "../profiles/ProfileFolder.ts"
import { requireNobodyIn, targetOf } from "../tenant/target.ts"
import { type Account, accountAt, askNewPassword, demoAccount } from "./account.ts"
import { askerOf, connect, meantOf, requireMember, withSlugs } from "./connect.ts"
import { type Asker, explained, layerHttp } from "./http.ts"

/** Whether the session can only change the password. Other calls of such a session fail. */
const mustChangePassword = (client: ParleyClient.Client) =>
  client.account.update({ payload: {} }).pipe(
    Effect.match({
      onFailure: ({ _tag }) => _tag === "PasswordChangeRequired",
      onSuccess: () => false
    })
  )

const mustChange = ({ address }: Asker, email: string) =>
  `This password must be replaced first: it is a common password, or an operator set it. Replace it, with the new password as the second line of the standard input: parley login --server ${address} --email ${email} --new-password`

/**
 * Logs in, and replaces the password when the account or the service requires it. Returns the tokens, an authenticated client and the organizations
 * of the account.
 */
export const loginAt = Effect.fnUntraced(function* (
  { address, email, newPassword = null, password }: Account,
  deviceToken: Redacted.Redacted | null,
  asker: Asker
) {
  const stranger = yield* ParleyClient.make({ baseUrl: address, retry: { times: 0 } })
  const answer = yield* stranger.sessions
    .login({ payload: { email, password, ...(deviceToken !== null && { deviceToken }) } })
    .pipe(
      Effect.mapError((failure) =>
        failure._tag === "InvalidCredentials"
          ? new Refused({
              message: `${address} refused the login: ${failure.message} For a new password, ask an operator: parley users reset-link ${email}`
            })
          : explained(asker)(failure)
      )
    )
  const { accessToken, refreshToken } = answer
  const client = yield* ParleyClient.make({ baseUrl: address, token: accessToken, refreshToken })
  const change = (next: Redacted.Redacted) =>
    client.account
      .changePassword({ payload: { currentPassword: password, newPassword: next } })
      .pipe(Effect.mapError(explained(asker)))
  if (newPassword !== null) yield* change(newPassword)
  else if (yield* mustChangePassword(client)) {
    const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
    if (!canPrompt) return yield* new Refused({ message: mustChange(asker, email) })
    yield* Console.error("This password must be replaced first.")
    yield* change(yield* askNewPassword)
  }
  return {
    client,
    tokens: { accessToken, refreshToken },
    deviceToken: answer.deviceToken,
    organizations: yield* withSlugs(client, answer.organizations)
  }
}, Effect.provide(layerHttp))

const Claims = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(Schema.fromJsonString(Schema.Struct({ aud: Schema.Literal("parley"), org: Schema.String })))
)

/** Reads the organization id from the token without verification. The service verifies the token. */
const organizationIn = (token: Redacted.Redacted) => {
  const [, payload = ""] = Redacted.value(token).split(".")
  return Option.map(Schema.decodeOption(Claims)(payload), ({ org }) => org)
}

/** Returns the organization of an automation token, as the service reports it. */
export const holderOf = Effect.fnUntraced(function* (address: string, token: Redacted.Redacted, asker: Asker) {
  const id = organizationIn(token)
  if (Option.isNone(id)) {
    return yield* new WrongUsage({
      message:
        "This is not an automation token or operator token. To issue one: parley tokens issue --help, or parley operator token issue --help"
    })
  }
  const client = yield* ParleyClient.make({ baseUrl: address, token, organizationId: id.value, retry: { times: 0 } })
  return yield* client.organization.get().pipe(
    Effect.map(({ name, slug }): KnownOrganization => ({ id: id.value, slug, name })),
    // A token can be valid without the permission to read its organization.
    Effect.catchTag("PermissionDenied", () =>
      Effect.succeed<KnownOrganization>({ id: id.value, slug: null, name: id.value })
    ),
    Effect.mapError(explained(asker))
  )
}, Effect.provide(layerHttp))

/** The user of a call, and the organization. */
export interface Person {
  readonly email: Option.Option<string>
  readonly org: Option.Option<string>
  readonly insecure: boolean
  /** Keeps a login for this command only, because its result ends with the session. Default: false. */
  readonly keepsLogin?: boolean
}

/** Logs in for one call. */
const asAccount = Effect.fnUntraced(function* <A, E extends Failure, R>(
  account: Account,
  { keepsLogin = false, org }: Pick<Person, "keepsLogin" | "org">,
  ask: (client: ParleyClient.Client, organization: KnownOrganization) => Effect.Effect<A, E, R>
) {
  const logIn = `parley login --server ${account.address}`
  const asker = { address: account.address, logIn }
  const { client, organizations } = yield* loginAt(account, null, asker)
  const called = Effect.gen(function* () {
    const organization = yield* meantOf(organizations, org, logIn)
    return yield* ask(client, organization).pipe(
      ParleyClient.inOrganization(organization.id),
      Effect.mapError(explained(asker))
    )
  })
  return yield* keepsLogin ? called : Effect.ensuring(called, Effect.ignore(client.account.logout()))
})

/** Creates a link that opens the documentation as the first user of the demo. */
export const demoDocsLink = Effect.fnUntraced(function* (settings: Settings, org: string) {
  const account = yield* demoAccount(settings, Option.none())
  const person = { org: Option.some(org), keepsLogin: true }
  return (yield* asAccount(account, person, (client) => client.docs.handoff())).url
})

/** Calls a service as a user. Uses a stored login, or a login for this command only with `--email` or for the service of `npm start`. */
export const asPerson = Effect.fnUntraced(function* <A, E extends Failure, R>(
  settings: Settings,
  { email, insecure, keepsLogin = false, org }: Person,
  ask: (client: ParleyClient.Client, organization: KnownOrganization) => Effect.Effect<A, E, R>
) {
  const { server } = settings
  if (server.value !== null) yield* requireNobodyIn(server.value)
  const target = Option.isSome(email) && server.value !== null ? null : yield* targetOf(settings)
  if (target?.kind === "server" && Option.isNone(email)) {
    yield* requireMember(target)
    const asker = askerOf(target)
    const client = yield* connect(settings, target)
    const organization = yield* meantOf(target.profile.organizations, org, asker.logIn)
    return yield* ask(client, organization).pipe(
      ParleyClient.inOrganization(organization.id),
      Effect.mapError(explained(asker))
    )
  }
  const address = server.value ?? (target?.kind === "server" ? target.profile.server : null)
  const isInsecure = insecure || (target?.kind === "server" && target.profile.insecure)
  const account =
    address === null ? yield* demoAccount(settings, email) : yield* accountAt(address, email, { insecure: isInsecure })
  return yield* asAccount(account, { keepsLogin, org }, ask)
})
