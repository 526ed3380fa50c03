import { DateTime, Effect, Redacted } from "effect"
import {
  freshText,
  givenAutomationToken,
  givenInvitation,
  givenPasswordReset,
  givenPerson,
  password,
  signIn
} from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onMember =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenPerson(tenant.organization), ({ member }) => ({ id: member.id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "sessions.login": ({ person }) => Effect.succeed({ body: { email: person.user.email, password } }),
  "sessions.refresh": ({ person }) =>
    Effect.map(signIn(person.user), ({ refreshToken }) => ({ body: { refreshToken: Redacted.value(refreshToken) } })),
  "sessions.acceptInvitation": ({ tenant }) =>
    Effect.map(givenInvitation(tenant.organization), ({ token }) => ({
      body: { token: Redacted.value(token), name: "Grace Hopper", password }
    })),
  "sessions.forgotPassword": ({ person }) => Effect.succeed({ body: { email: person.user.email } }),
  "sessions.resetPassword": ({ tenant }) =>
    Effect.gen(function* () {
      const { user } = yield* givenPerson(tenant.organization)
      const token = Redacted.value(yield* givenPasswordReset(user.email))
      return { body: { token, password: "another horse battery staple" } }
    }),
  "account.logout": ({ person }) => Effect.map(signIn(person.user), ({ token }) => ({ token })),
  "account.organizations": nothing,
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
  "tokens.adopt": ({ tenant }) =>
    Effect.gen(function* () {
      const owner = yield* givenPerson(tenant.organization, "owner")
      const { automationToken } = yield* givenAutomationToken({ ...tenant, owner })
      return { id: automationToken.id }
    }),
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
  "members.availability": onMember(),
  "members.setAvailability": onMember({ status: "away", capacity: 5 })
}
