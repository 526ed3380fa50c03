import { type Fields, refusePlainly } from "../checks.ts"
import type { World } from "../World.ts"
import type { AccountState } from "../world/AccountState.ts"

const nameBlockMillis = 30 * 24 * 3_600_000

/** Deletes all languages of a template, or a single language. The name of an approved one is blocked for 30 days. */
export const removeTemplates = (world: World, now: number, account: AccountState, fields: Fields): object => {
  const { hsm_id: id, name } = fields
  if (typeof name !== "string" || name === "") return refusePlainly(100, "(#100) The parameter name is required.")
  const found = [...world.templates].filter(
    ([, template]) =>
      template.businessId === account.id && template.name === name && (id === undefined || template.id === String(id))
  )
  if (found.length === 0) return refusePlainly(100, "(#100) Message Template not found", 2_593_002)
  if (found.some(([, { status }]) => status === "DISABLED")) {
    return refusePlainly(100, "(#100) A disabled template cannot be deleted.")
  }
  const wasApproved = found.some(([, { status }]) => status === "APPROVED" || status === "PAUSED")
  for (const [key] of found) world.templates.delete(key)
  const isWhole = [...world.templates.values()].every(
    (template) => template.businessId !== account.id || template.name !== name
  )
  if (wasApproved && isWhole) account.blockedNames.set(name, now + nameBlockMillis)
  return { success: true }
}
