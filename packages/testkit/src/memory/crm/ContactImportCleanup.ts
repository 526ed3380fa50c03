import type { FileId } from "@parley/domain/platform"
import { ContactImportCleanup } from "@parley/domain/crm"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const isOver = (tenant: Tenant, file: FileId, expectedAt: DateTime.Utc, now: DateTime.Utc): boolean => {
  const row = HashMap.toValues(tenant.contactImports).find(({ order }) => order.fileId === file)
  if (row === undefined) return DateTime.isLessThanOrEqualTo(expectedAt, DateTime.subtract(now, { days: 1 }))
  const state = rowAt(tenant.jobs, row.order.jobId)?.job.state
  return state !== "queued" && state !== "running"
}

const swept = (tenant: Tenant, now: DateTime.Utc): readonly [number, Tenant] => {
  const over = HashMap.toEntries(tenant.contactFiles).flatMap(([file, at]) =>
    isOver(tenant, file, at, now) ? [file] : []
  )
  let faults = 0
  const contactImports = HashMap.map(tenant.contactImports, (row) => {
    if (DateTime.isGreaterThan(row.order.createdAt, DateTime.subtract(now, { days: 30 }))) return row
    faults += row.faults.length
    return { ...row, faults: [] }
  })
  const files = HashMap.removeMany(tenant.files, over)
  const contactFiles = HashMap.removeMany(tenant.contactFiles, over)
  return [over.length + faults, { ...tenant, contactFiles, contactImports, files }]
}

export const layer = Layer.effect(
  ContactImportCleanup,
  Effect.map(Store, (store) =>
    ContactImportCleanup.of({
      sweep: () => Effect.flatMap(DateTime.now, (now) => store.writeTenant((tenant) => swept(tenant, now)))
    })
  )
)
