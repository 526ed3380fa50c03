import {
  CurrentActor,
  CurrentOrganization,
  OrganizationDirectory,
  setOrganizationStatus,
  setUserStatus,
  Users
} from "@parley/domain"
import { Console, Effect } from "effect"
import { type DemoTenant, demoTenants } from "./tenants.ts"

/** Who the command line is when it acts by itself. */
export const demoActor = { kind: "system", name: "demo" } as const

const closeTenant = Effect.fnUntraced(function* (tenant: DemoTenant) {
  const known = yield* (yield* Users).credentialsByEmail(tenant.user.email)
  if (known?.user.status === "active") yield* setUserStatus(known.user.id, "disabled")
  // Automation tokens outlive the user who made them, but not the organization's suspension.
  const organization = yield* (yield* OrganizationDirectory).findBySlug(tenant.organization.slug)
  if (organization?.status !== "active") return
  yield* Effect.provideService(setOrganizationStatus("suspended"), CurrentOrganization, { id: organization.id })
  yield* Console.error(
    `The demo of ${tenant.organization.name} is closed (${tenant.user.email} cannot log in): others than you can reach this service.`
  )
})

/** Closes the demo, whose password lies in a file, before others can reach the service. `ensureDemo` opens it again. */
export const closeDemo = Effect.forEach(demoTenants, closeTenant, { discard: true }).pipe(
  Effect.provideService(CurrentActor, demoActor)
)
