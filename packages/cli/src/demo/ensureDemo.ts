import {
  addMember,
  createOrganization,
  createUser,
  CurrentActor,
  CurrentOrganization,
  Ids,
  Members,
  OrganizationDirectory,
  PasswordHasher,
  resetPassword,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus,
  Users
} from "@parley/domain"
import { Effect, Option, type Redacted } from "effect"
import { type DemoFile, readDemoFile, writeDemoFile } from "./demoFile.ts"
import { demoActor } from "./closeDemo.ts"
import { type DemoTenant, demoTenants, type DemoUser } from "./tenants.ts"

const ensureOrganization = Effect.fnUntraced(function* ({ organization }: DemoTenant) {
  const known = yield* (yield* OrganizationDirectory).findBySlug(organization.slug)
  if (known === null) {
    return yield* createOrganization({ ...organization, timezone: "UTC", locale: "en", currency: "EUR" })
  }
  return yield* Effect.andThen(setOrganizationStatus("active"), setOrganizationPlan(organization.plan)).pipe(
    Effect.provideService(CurrentOrganization, { id: known.id })
  )
})

// The operator of the demo chooses its password, and all demo users are the same person.
const ensureUser = Effect.fnUntraced(function* ({ email, name }: DemoUser, password: Redacted.Redacted) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  if (known === null) return yield* createUser({ email, name, password, isTemporary: false })
  if (known.user.status === "disabled") yield* setUserStatus(known.user.id, "active")
  const { fits } = yield* (yield* PasswordHasher).verify(password, known.passwordHash)
  if (fits && !known.mustChangePassword) return known.user
  return yield* resetPassword(known.user.id, { password, isTemporary: false })
})

const ensureMember = Effect.fnUntraced(function* (user: DemoUser, password: Redacted.Redacted) {
  const { id } = yield* ensureUser(user, password)
  const member = yield* (yield* Members).findByUser(id)
  if (member === null) yield* addMember(id, user.role)
})

const ensureTenant = Effect.fnUntraced(function* (tenant: DemoTenant, password: Redacted.Redacted) {
  const organization = yield* ensureOrganization(tenant)
  yield* Effect.forEach(tenant.users, (user) => ensureMember(user, password), { discard: true }).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
})

/** Makes what is missing of the demo, so that the password in its file opens it. */
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
    yield* writeDemoFile(dataDir, demo)
    yield* Effect.forEach(demoTenants, (tenant) => ensureTenant(tenant, password), { discard: true })
    return demo
  },
  Effect.provideService(CurrentActor, demoActor)
)
