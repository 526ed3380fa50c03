import { CurrentActor, CurrentOrganization, Ids } from "@parley/domain/kernel"
import {
  addMember,
  createOrganization,
  createUser,
  Members,
  OrganizationDirectory,
  PasswordHasher,
  resetPassword,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus,
  Users
} from "@parley/domain/platform"
import { Console, Effect, Option, type Redacted } from "effect"
import { type DemoFile, readDemoFile } from "./demoFile.ts"

/** Organizations and users of the demo. Their addresses are unique, because `.example` is reserved for examples. */
export const demoTenants = [
  {
    organization: { name: "Acme", slug: "demo-acme", plan: "scale" },
    users: [
      { name: "Dana Demo", email: "demo@parley.example", role: "owner" },
      { name: "Cleo Castillo", email: "cleo@parley.example", role: "agent" }
    ]
  },
  {
    organization: { name: "Corner Shop", slug: "demo-corner-shop", plan: "free" },
    users: [{ name: "Frida Free", email: "free@parley.example", role: "owner" }]
  }
] as const

export type DemoTenant = (typeof demoTenants)[number]
export type DemoUser = DemoTenant["users"][number]

/** Actor of automatic changes by the command line. */
export const demoActor = { kind: "system", name: "demo" } as const

const disableUser = Effect.fnUntraced(function* ({ email }: DemoUser) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  if (known?.user.status === "active") yield* setUserStatus({ id: known.user.id, status: "disabled" })
})

const closeTenant = Effect.fnUntraced(function* (tenant: DemoTenant) {
  yield* Effect.forEach(tenant.users, disableUser, { discard: true })
  // Automation tokens stay valid without their creator, but not after a suspension of the organization.
  const organization = yield* (yield* OrganizationDirectory).findBySlug(tenant.organization.slug)
  if (organization?.status !== "active") return
  yield* Effect.provideService(setOrganizationStatus({ status: "suspended" }), CurrentOrganization, {
    id: organization.id
  })
  yield* Console.error(
    `The demo of ${tenant.organization.name} is closed (${tenant.users.map(({ email }) => email).join(", ")} cannot log in), because other machines can reach this service.`
  )
})

/** Closes the demo before other machines can reach the service, because its password is in a file. `ensureDemo` opens it again. */
export const closeDemo = Effect.forEach(demoTenants, closeTenant, { discard: true }).pipe(
  Effect.provideService(CurrentActor, demoActor)
)

const ensureOrganization = Effect.fnUntraced(function* ({ organization }: DemoTenant) {
  const known = yield* (yield* OrganizationDirectory).findBySlug(organization.slug)
  if (known === null) {
    return yield* createOrganization({ ...organization, timezone: "UTC", locale: "en", currency: "EUR" })
  }
  return yield* Effect.andThen(
    setOrganizationStatus({ status: "active" }),
    setOrganizationPlan({ plan: organization.plan })
  ).pipe(Effect.provideService(CurrentOrganization, { id: known.id }))
})

// The operator of the demo chooses its password, and all demo users are the same person.
const ensureUser = Effect.fnUntraced(function* ({ email, name }: DemoUser, password: Redacted.Redacted) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  if (known === null) return yield* createUser({ email, name, password, isTemporary: false })
  if (known.user.status === "disabled") yield* setUserStatus({ id: known.user.id, status: "active" })
  const { fits } = yield* (yield* PasswordHasher).verify(password, known.passwordHash)
  if (fits && !known.mustChangePassword) return known.user
  return yield* resetPassword({ id: known.user.id, password, isTemporary: false })
})

const ensureMember = Effect.fnUntraced(function* (user: DemoUser, password: Redacted.Redacted) {
  const { id } = yield* ensureUser(user, password)
  const member = yield* (yield* Members).findByUser(id)
  if (member === null) yield* addMember({ userId: id, role: user.role })
})

const ensureTenant = Effect.fnUntraced(function* (tenant: DemoTenant, password: Redacted.Redacted) {
  const organization = yield* ensureOrganization(tenant)
  yield* Effect.forEach(tenant.users, (user) => ensureMember(user, password), { discard: true }).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
})

/**
 * Creates the missing parts of the demo. Returns the content of its file. A demo without a file gets another password at its next start. The caller
 * writes the file once the service listens, because a running demo on the same port has the same file.
 */
export const ensureDemo = Effect.fnUntraced(
  function* (dataDir: string, address: string, outside: Pick<DemoFile, "simulator" | "store">) {
    const known = yield* readDemoFile(dataDir)
    const password = Option.isSome(known) ? known.value.password : yield* (yield* Ids).secret(12)
    const demo: DemoFile = {
      address,
      password,
      ...outside,
      users: demoTenants.flatMap(({ organization, users }) =>
        users.map(({ email, role }) => ({ email, role, organization: organization.name, plan: organization.plan }))
      )
    }
    yield* Effect.forEach(demoTenants, (tenant) => ensureTenant(tenant, password), { discard: true })
    return demo
  },
  Effect.provideService(CurrentActor, demoActor)
)
