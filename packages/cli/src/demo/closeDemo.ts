import {
  CurrentActor,
  CurrentOrganization,
  OrganizationDirectory,
  setOrganizationStatus,
  setUserStatus,
  Users
} from "@parley/domain"
import { Console, Effect } from "effect"
import { type DemoTenant, demoTenants, type DemoUser } from "./tenants.ts"

/** Who the command line is when it acts by itself. */
export const demoActor = { kind: "system", name: "demo" } as const

const disableUser = Effect.fnUntraced(function* ({ email }: DemoUser) {
  const known = yield* (yield* Users).credentialsByEmail(email)
  if (known?.user.status === "active") yield* setUserStatus(known.user.id, "disabled")
})

const closeTenant = Effect.fnUntraced(function* (tenant: DemoTenant) {
  yield* Effect.forEach(tenant.users, disableUser, { discard: true })
  // Automation tokens outlive the user who made them, but not the organization's suspension.
  const organization = yield* (yield* OrganizationDirectory).findBySlug(tenant.organization.slug)
  if (organization?.status !== "active") return
  yield* Effect.provideService(setOrganizationStatus("suspended"), CurrentOrganization, { id: organization.id })
  yield* Console.error(
    `The demo of ${tenant.organization.name} is closed (${tenant.users.map(({ email }) => email).join(", ")} cannot log in): others than you can reach this service.`
  )
})

/** Closes the demo, whose password lies in a file, before others can reach the service. `ensureDemo` opens it again. */
export const closeDemo = Effect.forEach(demoTenants, closeTenant, { discard: true }).pipe(
  Effect.provideService(CurrentActor, demoActor)
)
