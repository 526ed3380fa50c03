import { eventResource, byNothing } from "../../kernel/index.ts"
import { Organization } from "./Organization.ts"
import { getOrganization } from "./use-cases/getOrganization.ts"

/** The resources of the events of this area, as GET answers them. */
export const identityResources = [eventResource("organization", getOrganization, Organization, byNothing)] as const
