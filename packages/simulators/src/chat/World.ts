import { hash } from "node:crypto"
import { defaultApp, defaultNumbers, type ChatSimulatorOptions, type SimulatedNumber, type Webhook } from "./Options.ts"
import type { Timeline } from "../Timeline.ts"
import type { Traffic } from "./Traffic.ts"
import { type AccountState, makeAccountState } from "./world/AccountState.ts"
import { makeNumberState, type NumberStage, type NumberState } from "./world/NumberState.ts"
import { makeTokens } from "./world/tokens.ts"
import type {
  Customer,
  Group,
  KeptTemplate,
  KeptFile,
  KeptUpload,
  Flow,
  SignupCode,
  MessageCall,
  AcceptedMessage,
  RefusedMessage,
  SentDelivery
} from "./world/records.ts"

export type {
  Customer,
  Group,
  KeptTemplate,
  KeptFile,
  KeptUpload,
  Flow,
  SignupCode,
  MessageCall,
  AcceptedMessage,
  RefusedMessage,
  SentDelivery
} from "./world/records.ts"

/** Everything that the simulated provider stores. */
export const makeWorld = (options: ChatSimulatorOptions, timeline: Timeline) => {
  const app = options.app ?? defaultApp
  const numbers = new Map<string, SimulatedNumber>()
  const states = new Map<string, NumberState>()
  const accounts = new Map<string, AccountState>()
  const tokens = makeTokens(app.appId, timeline.now)
  const customersByPhone = new Map<string, Customer>()
  const customersById = new Map<string, Customer>()
  let count = 0
  const next = () => (count += 1)

  const accountOf = (businessId: string, isSubscribed = true): AccountState => {
    const account = accounts.get(businessId) ?? makeAccountState(businessId, isSubscribed)
    accounts.set(businessId, account)
    return account
  }

  const addNumber = (number: SimulatedNumber, stage: NumberStage = "registered") => {
    numbers.set(number.phoneId, number)
    states.set(number.phoneId, makeNumberState(number, stage, timeline.now()))
    const account = accountOf(number.businessId, stage === "registered")
    account.messagingLimit = number.messagingLimit ?? account.messagingLimit
    account.hasCatalog = number.hasCatalog ?? account.hasCatalog
    if (number.accessToken !== "") tokens.grant(number.accessToken, number.businessId)
  }

  const stateOf = ({ phoneId }: SimulatedNumber): NumberState => {
    const state = states.get(phoneId)
    if (state === undefined) throw new Error(`The simulator has no number ${phoneId}.`)
    return state
  }

  const addCustomer = (phone: string | null, name?: string): Customer => {
    const known = phone === null ? undefined : customersByPhone.get(phone)
    if (known !== undefined) {
      known.name = name ?? known.name
      return known
    }
    const number = next()
    const customer: Customer = {
      phone,
      userId: `US.${String(10_000_000_000_000 + number)}`,
      name: name ?? `Customer ${number}`,
      reachable: true,
      username: null,
      parentUserId: null,
      callPermissions: new Map(),
      heldBy: new Set(),
      calls: new Map(),
      stopped: new Set(),
      windows: new Map(),
      paces: new Map(),
      entryPoints: new Map(),
      marketingTimes: [],
      identityHash: hash("sha256", `identity:${number}`, "base64").slice(0, 12),
      pricedReceipt: "delivered",
      isOnline: true,
      pending: []
    }
    customersById.set(customer.userId, customer)
    if (phone !== null) customersByPhone.set(phone, customer)
    return customer
  }

  for (const number of options.numbers ?? defaultNumbers) addNumber(number)

  return {
    app,
    /** Portfolio of the tech provider. */
    partnerId: "700000000000009",
    /** Address of the simulator. */
    origin: "",
    numbers,
    states,
    accounts,
    tokens,
    addNumber,
    stateOf,
    accountOf,
    addCustomer,
    /** By user id, parent user id, or phone number. */
    findCustomer: (key: string) =>
      customersById.get(key) ??
      customersByPhone.get(key.replace(/^\+/u, "")) ??
      (key.includes(".ENT.")
        ? [...customersById.values()].find(({ parentUserId }) => parentUserId === key)
        : undefined),
    /** Gives a customer another phone number or user id. */
    changeCustomer: (customer: Customer, phone: string | null, userId: string) => {
      if (customer.phone !== null) customersByPhone.delete(customer.phone)
      customersById.delete(customer.userId)
      customer.phone = phone
      customer.userId = userId
      customersById.set(userId, customer)
      if (phone !== null) customersByPhone.set(phone, customer)
    },
    next,
    /** The app's webhook, for business accounts without their own. */
    defaultWebhook: (options.webhook ?? null) as Webhook | null,
    /** By business account: the webhook of the customer's own app. */
    webhooks: new Map<string, Webhook>(),
    templates: new Map<string, KeptTemplate>(),
    files: new Map<string, KeptFile>(),
    uploads: new Map<string, KeptUpload>(),
    flows: new Map<string, Flow>(),
    signupCodes: new Map<string, SignupCode>(),
    groups: new Map<string, Group>(),
    /** Ids of messages in both directions. */
    messageIds: new Map<string, { readonly at: number; readonly isReaction: boolean; readonly isInbound: boolean }>(),
    calls: [] as Array<MessageCall>,
    accepted: [] as Array<AcceptedMessage>,
    refused: [] as Array<RefusedMessage>,
    deliveries: [] as Array<SentDelivery>,
    /** When each number has sent or received within the last second. */
    traffic: new Map<string, Traffic>()
  }
}

export type World = ReturnType<typeof makeWorld>
