import type { OrganizationId, PlanName } from "@parley/domain/kernel"
import { Organization, type OrganizationStatus } from "@parley/domain/platform"
import { asWritten, type Instant, utc } from "../../kernel/columns.ts"

export interface OrganizationRow {
  readonly id: OrganizationId
  readonly name: string
  readonly slug: string
  readonly plan: PlanName
  readonly timezone: string
  readonly locale: string
  readonly currency: string
  readonly status: OrganizationStatus
  readonly createdAt: Instant
  readonly version: number
}

/** Columns of an organization, from `organizations AS o`. */
export const organizationColumns = `o.id, o.name, o.slug, o.plan, o.timezone, o.locale, o.currency, o.status, o.created_at AS "createdAt", o.version`

export const organizationOf = (row: OrganizationRow) =>
  new Organization({ ...row, createdAt: utc(row.createdAt) }, asWritten)
