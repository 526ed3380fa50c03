import { Struct } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { isGroupEvent } from "../inbound/groups.ts"
import type { SimulatedNumber } from "../Options.ts"
import { setOnline } from "../sending/online.ts"
import type { Simulation } from "../Simulation.ts"
import { templateKey } from "../templates/life.ts"
import type { Customer, KeptTemplate, World } from "../World.ts"
import type { Act, ActOf } from "./Act.ts"

/** An object of an act does not exist. */
export class Unknown {
  readonly what: string
  constructor(what: string) {
    this.what = what
  }
}

const existing = <A>(what: string, value: A | undefined): A => {
  if (value === undefined) throw new Unknown(what)
  return value
}

/** Applies the given values of an act. Absent ones stay. */
const change = <A extends object>(target: A, values: { readonly [Key in keyof A]?: A[Key] | undefined }) => {
  for (const [key, value] of Object.entries(values)) if (value !== undefined) Reflect.set(target, key, value)
}

/** Finds the objects that an act names. */
export const makeFinder = (world: World) => ({
  number: (phoneId: string): SimulatedNumber => existing("number", world.numbers.get(phoneId)),
  /** A new phone number creates a customer; a new user id is unknown. */
  customer: (key: string): Customer =>
    existing(
      "customer",
      world.findCustomer(key) ?? (/^\+?\d+$/u.test(key) ? world.addCustomer(key.replace(/^\+/u, "")) : undefined)
    ),
  template: (businessId: string, name: string, language: string): KeptTemplate =>
    existing("template", world.templates.get(templateKey(businessId, name, language)))
})
export type Finder = ReturnType<typeof makeFinder>

type TemplateAct = "template_quality" | "template_category" | "template_components" | "release_held" | "pause_by_pacing"

type Performers = { readonly [Name in Act["act"]]: (act: ActOf<Name>) => unknown }

/** Lets something happen at the provider. The result is the id of what was created, if any. */
export const makePerform = (world: World, timeline: Timeline, simulation: Simulation, find: Finder) => {
  const { agents, calls, coexistence, events, groups, identities, life } = simulation
  const accountOf = (businessId: string) => world.accountOf(businessId, false)
  const templateOf = ({ businessId, language, name }: ActOf<TemplateAct>) => find.template(businessId, name, language)
  const groupOf = (groupId: string) => existing("group", world.groups.get(groupId))

  const performers: Performers = {
    partner: ({ businessId, disconnection, event }) => events.partner(event, accountOf(businessId), disconnection),
    coexistence_removed: ({ phoneId }) => events.coexistenceRemoved(find.number(phoneId)),
    account_update: ({ businessId, value }) => events.accountUpdate(accountOf(businessId), value),
    ban: ({ businessId, state }) => events.ban(accountOf(businessId), state),
    restrict: ({ businessId, restrictions, ...details }) =>
      events.restrict(accountOf(businessId), restrictions, details),
    review: ({ businessId, decision }) => events.review(accountOf(businessId), decision),
    limit: ({ businessId, limit }) => events.capability(accountOf(businessId), limit),
    set_account: ({ businessId, ...values }) => change(accountOf(businessId), Struct.omit(values, ["act"])),
    set_override: ({ businessId, url }) => {
      accountOf(businessId).subscription = { override: { url, verifyToken: "" } }
    },
    set_token: ({ expiresInMillis, isRevoked, scopes, token }) => {
      const found = existing("token", world.tokens.get(token))
      if (isRevoked !== undefined) found.isRevoked = isRevoked
      if (expiresInMillis !== undefined) found.expiresAt = timeline.now() + expiresInMillis
      if (scopes !== undefined) found.scopes = scopes
    },
    set_number: ({ phoneId, ...values }) => change(world.stateOf(find.number(phoneId)), Struct.omit(values, ["act"])),
    number_quality: ({ event, phoneId }) => events.qualityUpdate(find.number(phoneId), event),
    number_name: ({ decision, phoneId, reason }) => events.nameUpdate(find.number(phoneId), decision, reason ?? null),
    security: ({ event, phoneId }) => events.security(find.number(phoneId), event),
    username: ({ phoneId, status, username }) => events.username(find.number(phoneId), username, status),
    value_error: ({ code, details, phoneId }) => simulation.valueError(find.number(phoneId), code, details),
    template_quality: (act) => life.setQuality(templateOf(act), act.score),
    template_category: (act) =>
      act.isAnnounced === true
        ? life.announceCategory(templateOf(act), act.category)
        : life.changeCategory(templateOf(act), act.category),
    template_components: (act) => life.componentsChanged(templateOf(act)),
    release_held: (act) => life.release(templateOf(act)),
    pause_by_pacing: (act) => life.pauseByPacing(templateOf(act)),
    set_customer: ({ customer, isOnline, ...values }) => {
      const found = find.customer(customer)
      change(found, Struct.omit(values, ["act"]))
      if (isOnline !== undefined) setOnline(found, isOnline, timeline.now())
    },
    change_number: ({ customer, phone, phoneId }) =>
      identities.changeNumber(find.number(phoneId), find.customer(customer), phone),
    change_user_id: ({ customer, phoneId }) => identities.changeUserId(find.number(phoneId), find.customer(customer)),
    change_identity: ({ customer, phoneId }) =>
      identities.changeIdentity(find.number(phoneId), find.customer(customer), Math.floor(timeline.now() / 1_000)),
    payment: ({ customer, phoneId, ...report }) =>
      simulation.payment(find.number(phoneId), find.customer(customer), report),
    call: ({ customer, phoneId, ...call }) => calls.report(find.number(phoneId), find.customer(customer), call),
    call_status: ({ customer, id, phoneId, status }) =>
      calls.status(find.number(phoneId), find.customer(customer), id, status),
    agent_holds: ({ customer, phoneId }) => void agents.hold(find.number(phoneId), find.customer(customer)),
    agent_writes: ({ customer, phoneId, text }) => agents.write(find.number(phoneId), find.customer(customer), text),
    agent_passes: ({ customer, phoneId }) => agents.pass(find.number(phoneId), find.customer(customer)),
    create_group: ({ isApprovalRequired = false, phoneId, subject }) =>
      groups.create(find.number(phoneId), { subject, isApprovalRequired }).id,
    join_group: ({ customer, groupId, phoneId }) =>
      groups.join(find.number(phoneId), groupOf(groupId), find.customer(customer)),
    leave_group: ({ customer, groupId, phoneId }) =>
      groups.leave(find.number(phoneId), groupOf(groupId), find.customer(customer)),
    delete_group: ({ groupId, phoneId }) => groups.remove(find.number(phoneId), groupOf(groupId)),
    group_event: ({ details, event, groupId, phoneId }) =>
      isGroupEvent(event)
        ? groups.report(find.number(phoneId), groupId, event, details)
        : existing("group event", undefined),
    sync_contacts: ({ contacts, phoneId }) => coexistence.syncContacts(find.number(phoneId), contacts),
    history: ({ phoneId, ...chunk }) => coexistence.history(find.number(phoneId), chunk),
    history_media: ({ messages, phoneId }) => coexistence.historyMedia(find.number(phoneId), messages),
    decline_history: ({ phoneId }) => coexistence.declineHistory(find.number(phoneId))
  }

  return (act: Act): string | null => {
    const perform = performers[act.act] as (act: Act) => unknown
    const result = perform(act)
    return typeof result === "string" ? result : null
  }
}
export type Perform = ReturnType<typeof makePerform>
