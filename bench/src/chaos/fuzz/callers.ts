import { addMember, createUser, CurrentActor, CurrentOrganization, OrganizationId } from "@parley/domain"
import { Effect, Redacted } from "effect"
import { seed as seedTenants } from "../../tenants/seed.ts"
import { ask, fieldOf } from "./ask.ts"

/** Caller of a request, with the organization. */
export interface Caller {
  readonly name: string
  readonly token: string | null
  readonly organization: string
}

const password = "a passphrase for the bench"
const roles = ["admin", "agent", "viewer"] as const
const emailOf = (role: string) => `${role}@bench.example`

/** Two organizations with an owner each, and people of every role in the first. */
export const prepareCallers = Effect.gen(function* () {
  const { callers } = yield* seedTenants({ organizations: 2, sessionsEach: 1, automations: 2 })
  const [own, other] = callers
  if (own === undefined || other === undefined) return yield* Effect.die("There are no two organizations")
  for (const role of roles) {
    const user = yield* createUser({
      email: emailOf(role),
      name: role,
      password: Redacted.make(password),
      isTemporary: false
    })
    yield* addMember({ userId: user.id, role }).pipe(
      Effect.provideService(CurrentOrganization, { id: OrganizationId.make(own.organizationId) })
    )
  }
  const organization = own.organizationId
  return {
    owner: { name: "owner", token: own.accessToken, organization },
    strangers: [
      { name: "nobody", token: null, organization },
      { name: "another's owner", token: other.accessToken, organization },
      { name: "the other owner", token: other.accessToken, organization: other.organizationId }
    ]
  }
}).pipe(Effect.provideService(CurrentActor, { kind: "operator", name: "chaos" }))

/** The people of every role, signed in, and an automation. */
export const signIn = Effect.fnUntraced(function* (url: string, owner: Caller, newToken: unknown) {
  const { organization } = owner
  const people = yield* Effect.forEach(roles, (role) =>
    Effect.map(
      ask(`${url}/api/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: emailOf(role), password })
      }),
      ({ json }): Caller => ({ name: role, token: fieldOf(json, "accessToken"), organization })
    )
  )
  const issued = yield* ask(`${url}/api/v1/auth/tokens`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${owner.token}`,
      "x-organization-id": organization
    },
    body: JSON.stringify(newToken)
  })
  return [...people, { name: "an automation", token: fieldOf(issued.json, "token"), organization }]
})
