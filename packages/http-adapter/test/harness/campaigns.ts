import { createBroadcast, type NewBroadcast, type Organization } from "@parley/domain"
import { Effect } from "effect"
import { inside } from "./tenants.ts"

/** A draft of a broadcast that says nothing but its name, unless it is said otherwise. */
export const givenBroadcast = (organization: Pick<Organization, "id">, said: Partial<NewBroadcast> = {}) =>
  createBroadcast({ name: "Spring", ...said }).pipe(inside(organization), Effect.orDie)
