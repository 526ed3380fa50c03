import type { Ports } from "@parley/domain"
import { DateTime, Effect, Redacted } from "effect"
import type { Call, Http } from "./Http.ts"
import type { Endpoint } from "./contract.ts"
import {
  freshText,
  givenAutomation,
  givenAutomationToken,
  givenDocsCode,
  givenDocsSession,
  givenInvitation,
  givenPerson,
  password,
  type Person,
  signIn,
  type Tenant
} from "./tenants.ts"

/** Who sends a request, and where. */
export interface Caller {
  readonly tenant: Tenant
  readonly person: Person
}

/** A request that the service accepts. */
export interface ValidRequest extends Call {
  readonly path: string
}

type Recipe = (caller: Caller) => Effect.Effect<Omit<ValidRequest, "path"> & { readonly id?: string }, never, Ports>

const nothing: Recipe = () => Effect.succeed({})

const onMember =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenPerson(tenant.organization), ({ member }) => ({ id: member.id, body }))

const onAutomation =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenAutomation(tenant.organization), ({ id }) => ({ id, body }))

/** What to send to each endpoint so that it does what it is for. What the request needs is made first. */
const recipes: Readonly<Record<string, Recipe>> = {
  "sessions.login": ({ person }) => Effect.succeed({ body: { email: person.user.email, password } }),
  "sessions.refresh": ({ person }) =>
    Effect.map(signIn(person.user), ({ refreshToken }) => ({ body: { refreshToken: Redacted.value(refreshToken) } })),
  "sessions.acceptInvitation": ({ tenant }) =>
    Effect.map(givenInvitation(tenant.organization), ({ token }) => ({
      body: { token: Redacted.value(token), name: "Grace Hopper", password }
    })),
  "account.logout": ({ person }) => Effect.map(signIn(person.user), ({ token }) => ({ token })),
  "account.update": () => Effect.succeed({ body: { name: "Countess of Lovelace" } }),
  "account.changePassword": () =>
    Effect.succeed({ body: { currentPassword: password, newPassword: "another horse battery staple" } }),
  "identity.me": nothing,
  "tokens.list": nothing,
  "tokens.issue": () =>
    Effect.map(DateTime.now, (now) => ({
      body: {
        name: "Nightly export",
        permissions: ["automations.read"],
        expiresAt: DateTime.formatIso(DateTime.add(now, { days: 30 }))
      }
    })),
  "tokens.revoke": ({ tenant }) =>
    Effect.map(givenAutomationToken(tenant), ({ automationToken }) => ({ id: automationToken.id })),
  "organization.get": nothing,
  "organization.update": () => Effect.map(freshText("Bakery"), (name) => ({ body: { name } })),
  "organization.entitlements": nothing,
  "members.list": nothing,
  "members.invite": () =>
    Effect.map(freshText("invited"), (name) => ({ body: { email: `${name}@invited.test`, role: "agent" } })),
  "members.changeRole": onMember({ role: "viewer" }),
  "members.remove": onMember(),
  "automations.list": nothing,
  "automations.create": () => Effect.succeed({ body: { name: "Greet newcomers" } }),
  "automations.get": onAutomation(),
  "automations.update": onAutomation({ name: "Greet everybody" }),
  "automations.delete": onAutomation(),
  "automations.enable": onAutomation(),
  "automations.disable": onAutomation(),
  "events.list": nothing,
  "audit.list": nothing,
  "docs.handoff": nothing,
  "docs.exchange": ({ person, tenant }) =>
    Effect.map(givenDocsCode(tenant.organization, person), (code) => ({ body: { code: Redacted.value(code) } })),
  "docs.session": ({ person, tenant }) =>
    Effect.map(givenDocsSession(tenant.organization, person), (token) => ({ token })),
  "operations.jwks": nothing,
  "operations.health": nothing,
  "operations.ready": nothing
}

/** Which endpoints have a recipe: all of them, or the tests that are generated from the contract have a hole. */
export const described = new Set(Object.keys(recipes))

const needsOrganization = (endpoint: Endpoint) =>
  endpoint.admission === "organization" || endpoint.admission === "only organization"

const needsToken = (endpoint: Endpoint) => needsOrganization(endpoint) || endpoint.admission === "user"

/** A request to the endpoint that this caller may make. What it needs is made first. */
export const validRequest = Effect.fnUntraced(function* (endpoint: Endpoint, caller: Caller) {
  const recipe = recipes[endpoint.id]
  if (recipe === undefined) return yield* Effect.die(new Error(`There is no recipe for a request to ${endpoint.id}.`))
  const { id, ...call } = yield* recipe(caller)
  return {
    ...(needsToken(endpoint) && { token: caller.person.token }),
    ...(needsOrganization(endpoint) && { organization: caller.tenant.organization.id }),
    ...call,
    path: endpoint.path.replace(":id", id ?? ":id")
  } satisfies ValidRequest
})

/** The environment of a test over HTTP. */
export type World = Http | Ports
