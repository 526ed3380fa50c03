import { type Fields, listAt, refusePlainly } from "../checks.ts"
import type { KeptTemplate, World } from "../World.ts"
import type { AccountState } from "../world/AccountState.ts"
import type { NewTemplate } from "./life.ts"

/** Maximum number of templates of a page. */
const maxMigrated = 500

const integerAt = (value: unknown, name: string, least: number, most: number): number => {
  const number = Number(value)
  return Number.isInteger(number) && number >= least && number <= most
    ? number
    : refusePlainly(100, `(#100) Param ${name} must be a number from ${least} to ${most}.`)
}

const sourceOf = (world: World, account: AccountState, id: string): AccountState => {
  const source = world.accounts.get(id)
  return source === undefined || source.ownerId !== account.ownerId
    ? refusePlainly(100, "(#100) Templates migrate between accounts of the same business only.")
    : source
}

const isMigratable = ({ quality, status }: KeptTemplate) =>
  status === "APPROVED" && (quality === "GREEN" || quality === "UNKNOWN")

/** Creates the templates of another account again. `add` fails with the reason why it does not. */
export const migrateTemplates = (
  world: World,
  account: AccountState,
  fields: Fields,
  add: (template: NewTemplate) => string | null
): object => {
  const source = sourceOf(world, account, String(fields["source_waba_id"] ?? ""))
  const count = integerAt(fields["count"] ?? maxMigrated, "count", 1, maxMigrated)
  const page = integerAt(fields["page_number"] ?? 0, "page_number", 0, 1_000)
  const ids =
    fields["template_ids"] === undefined
      ? null
      : listAt(fields["template_ids"], "template_ids", maxMigrated).map(String)
  const templates = [...world.templates.values()]
    .filter((template) => template.businessId === source.id && isMigratable(template))
    .filter(({ id }) => ids === null || ids.includes(id))
    .slice(page * count, (page + 1) * count)
  const results = templates.map(({ id, ...template }) => ({
    id,
    failure: add({ ...template, businessId: account.id })
  }))
  return {
    migrated_templates: results.filter(({ failure }) => failure === null).map(({ id }) => id),
    failed_templates: Object.fromEntries(
      results.flatMap(({ failure, id }) => (failure === null ? [] : [[id, failure] as const]))
    )
  }
}
