import type { Timeline } from "../../Timeline.ts"
import { type Fields, refuseForUser, refusePlainly } from "../checks.ts"
import type { ChatSimulatorOptions } from "../Options.ts"
import type { World } from "../World.ts"
import { type AccountState, hasRestriction } from "../world/AccountState.ts"
import type { NewTemplate } from "./life.ts"

const hour = 3_600_000

/** Limits of the templates of an account. */
export const makeTemplateLimits = (world: World, timeline: Timeline, options: ChatSimulatorOptions) => {
  const perHour = options.templatesPerHour ?? 100

  /** A verified portfolio with an approved display name has more templates. */
  const maxTemplatesOf = ({ businessVerification, ownerId }: AccountState): number => {
    const hasName = [...world.numbers.values()].some(
      (number) =>
        world.accountOf(number.businessId, false).ownerId === ownerId && world.stateOf(number).nameStatus === "APPROVED"
    )
    return options.maxTemplates ?? (businessVerification === "VERIFIED" && hasName ? 6_000 : 250)
  }

  const ofAccount = (businessId: string) =>
    [...world.templates.values()].filter((template) => template.businessId === businessId)

  const checkLimits = (account: AccountState, template: Pick<NewTemplate, "name" | "language" | "category">) => {
    const now = timeline.now()
    account.templateCreations = account.templateCreations.filter((at) => at > now - hour)
    if (account.templateCreations.length >= perHour) {
      refusePlainly(
        80_008,
        "(#80008) There have been too many calls to this WhatsApp Business account. Wait a bit and try again."
      )
    }
    const own = ofAccount(account.id)
    const maxTemplates = maxTemplatesOf(account)
    if (own.length >= maxTemplates) {
      refuseForUser(
        2_388_019,
        "Template limit exceeded",
        `The account has ${maxTemplates} templates. Delete some of them.`
      )
    }
    if (own.some(({ language, name }) => name === template.name && language === template.language)) {
      refuseForUser(
        2_388_024,
        "Content in this language already exists",
        `There is already ${template.language} content for this template. You can create a new template and try again.`
      )
    }
    if ((account.blockedNames.get(template.name) ?? 0) > now) {
      refuseForUser(
        2_388_023,
        "Message template language is being deleted",
        `The name ${template.name} belonged to a deleted template. It can be used again 30 days after the deletion.`
      )
    }
    if (template.category === "UTILITY" && hasRestriction(account, "RESTRICTED_UTILITY_TEMPLATES", now)) {
      refusePlainly(368, "(#368) The account cannot create utility templates at present.")
    }
  }

  /** Review rejects a template whose body and footer another one already has. */
  const hasSameText = (account: AccountState, components: ReadonlyArray<Fields>) => {
    const textOf = (all: ReadonlyArray<Fields>) =>
      JSON.stringify(["BODY", "FOOTER"].map((type) => all.find((part) => part["type"] === type)?.["text"]))
    return ofAccount(account.id).some((other) => textOf(other.components) === textOf(components))
  }

  return { checkLimits, hasSameText, ofAccount }
}
