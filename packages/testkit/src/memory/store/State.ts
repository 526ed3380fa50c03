import type { OrganizationId } from "@parley/domain/kernel"
import { HashMap, Option } from "effect"
import { emptyAnalyticsTenant, type AnalyticsTenant } from "../analytics/state.ts"
import { emptyAutomationTenant, type AutomationTenant } from "../automation/state.ts"
import { emptyCampaignsTenant, type CampaignsTenant } from "../campaigns/state.ts"
import { emptyCommerceTenant, type CommerceTenant } from "../commerce/state.ts"
import { emptyCrmTenant, type CrmTenant } from "../crm/state.ts"
import {
  emptyIntegrationsState,
  type IntegrationsState,
  emptyIntegrationsTenant,
  type IntegrationsTenant
} from "../integrations/state.ts"
import { emptyKernelState, type KernelState } from "../kernel/state.ts"
import {
  emptyMessagingState,
  type MessagingState,
  emptyMessagingTenant,
  type MessagingTenant
} from "../messaging/state.ts"
import { emptyPlatformState, type PlatformState, emptyPlatformTenant, type PlatformTenant } from "../platform/state.ts"

/** All rows of one organization. */
export interface Tenant
  extends
    PlatformTenant,
    CrmTenant,
    MessagingTenant,
    IntegrationsTenant,
    CampaignsTenant,
    CommerceTenant,
    AnalyticsTenant,
    AutomationTenant {}

/** The whole store. It is never changed, only replaced, so a snapshot costs nothing. */
export interface State extends KernelState, PlatformState, MessagingState, IntegrationsState {
  readonly tenants: HashMap.HashMap<OrganizationId, Tenant>
}

const newTenant: Tenant = {
  ...emptyPlatformTenant,
  ...emptyCrmTenant,
  ...emptyMessagingTenant,
  ...emptyIntegrationsTenant,
  ...emptyCampaignsTenant,
  ...emptyCommerceTenant,
  ...emptyAnalyticsTenant,
  ...emptyAutomationTenant
}

/** A store with nothing in it. */
export const emptyState: State = {
  ...emptyKernelState,
  ...emptyPlatformState,
  ...emptyMessagingState,
  ...emptyIntegrationsState,
  tenants: HashMap.empty()
}

/** Data of the organization. */
export const tenantOf = (state: State, id: OrganizationId): Tenant =>
  Option.getOrElse(HashMap.get(state.tenants, id), () => newTenant)

/** The store with something changed that belongs to the organization. */
export const withTenant = (state: State, id: OrganizationId, change: Partial<Tenant>): State => ({
  ...state,
  tenants: HashMap.set(state.tenants, id, { ...tenantOf(state, id), ...change })
})

/** The row at the key, or `null`. */
export const rowAt = <K, V>(table: HashMap.HashMap<K, V>, key: K): V | null => Option.getOrNull(HashMap.get(table, key))
