import { AutomationTokenId, OrganizationId, type Page, UserId } from "@parley/domain/kernel"
import {
  toEntitlements,
  type ListedAutomationToken,
  Member,
  MemberId,
  Organization,
  User
} from "@parley/domain/platform"
import { Contact, ContactId, ContactMergeId, Segment, SegmentId, Tag, TagId } from "@parley/domain/crm"
import {
  AutomationId,
  AutomationRun,
  AutomationRunId,
  AutomationView,
  ScheduleId,
  WeeklySchedule
} from "@parley/domain/automation"
import { DateTime, Redacted } from "effect"

/** Date of all examples. */
export const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

export const requestId = "01934b7e-2c40-7b1e-9a55-0f1e2d3c4b5a"

const organizationId = OrganizationId.make("01934a10-5e00-7c11-8f3d-6a7b8c9d0e1f")

export const organization = new Organization({
  id: organizationId,
  name: "Blue Bakery",
  slug: "blue-bakery",
  plan: "growth",
  timezone: "Europe/Berlin",
  locale: "de-DE",
  currency: "EUR",
  status: "active",
  createdAt: at("08:00:00.000"),
  version: 3
})

export const ada = new User({
  id: UserId.make("01934a10-61a8-7d22-9e4c-1b2c3d4e5f60"),
  email: "ada@bluebakery.example",
  name: "Ada Lovelace",
  avatarUrl: null,
  status: "active",
  emailVerifiedAt: at("08:00:01.000"),
  createdAt: at("08:00:01.000")
})

export const owner = new Member({
  id: MemberId.make("01934a10-6590-7a33-8b5d-2c3d4e5f6071"),
  userId: ada.id,
  email: ada.email,
  name: ada.name,
  role: "owner",
  status: "active",
  invitedAt: at("08:00:02.000"),
  joinedAt: at("08:00:02.000"),
  version: 1
})

export const invited = new Member({
  id: MemberId.make("01934b70-0b20-7e44-9c6e-3d4e5f607182"),
  userId: null,
  email: "grace@bluebakery.example",
  name: null,
  role: "agent",
  status: "invited",
  invitedAt: at("09:30:00.000"),
  joinedAt: null,
  version: 1
})

export const grace = new User({
  id: UserId.make("01934b72-3f10-7b55-8d7f-4e5f60718293"),
  email: invited.email,
  name: "Grace Hopper",
  avatarUrl: null,
  status: "active",
  emailVerifiedAt: at("09:32:00.000"),
  createdAt: at("09:32:00.000")
})

export const joined = new Member({
  ...invited,
  userId: grace.id,
  name: grace.name,
  status: "active",
  joinedAt: at("09:32:00.000"),
  version: 2
})

export const automation = new AutomationView({
  id: AutomationId.make("01934b75-1a30-7c66-9e80-5f6071829304"),
  name: "Thank every new customer",
  enabled: false,
  disabledReason: null,
  position: 1,
  when: { event: "order.paid" },
  if: { field: "order.isFirst", op: "is", value: true },
  then: [{ type: "add_note", text: "{{ contact.firstName | default: 'A customer' }} has ordered for the first time." }],
  faults: [],
  createdAt: at("09:35:00.000"),
  updatedAt: at("09:35:00.000"),
  version: 1
})

export const schedule = new WeeklySchedule({
  id: ScheduleId.make("01934b76-2b41-7d77-8f91-60718293a4b5"),
  name: "Support",
  timezone: "Europe/Berlin",
  weekly: {
    mon: [["09:00", "18:00"]],
    tue: [["09:00", "18:00"]],
    wed: [["09:00", "18:00"]],
    thu: [["09:00", "18:00"]],
    fri: [
      ["09:00", "12:00"],
      ["13:00", "16:00"]
    ],
    sat: [],
    sun: []
  },
  holidays: [{ date: "2026-12-25", yearly: true, name: "Christmas Day", spans: [] }],
  createdAt: at("09:36:00.000"),
  updatedAt: at("09:36:00.000"),
  version: 1
})

export const tag = new Tag({
  id: TagId.make("01934b88-93a4-7333-8789-76a7b8c9daeb"),
  name: "Wholesale",
  color: "#1f6feb",
  contactCount: 42,
  createdAt: at("10:00:00.000"),
  updatedAt: at("10:00:00.000"),
  version: 1
})

export const contact = new Contact({
  id: ContactId.make("01934b8e-a4b5-7444-989a-86a7b8c9daeb"),
  name: "Marie Curie",
  phone: "+491701234567",
  email: "marie@curie.example",
  identities: [
    { kind: "phone", value: "+491701234567", source: "api", addedAt: at("10:30:00.000") },
    { kind: "email", value: "marie@curie.example", source: "api", addedAt: at("10:30:00.000") }
  ],
  locale: null,
  timezone: null,
  attributes: { city: "Paris" },
  tags: [tag.id],
  consent: { marketing: "subscribed", source: "newsletter form", changedAt: at("10:30:00.000") },
  blockedAt: null,
  lastSeenAt: null,
  lastInboundAt: null,
  createdAt: at("10:30:00.000"),
  updatedAt: at("10:30:00.000"),
  version: 1
})

export const lead = new Contact({
  ...contact,
  id: ContactId.make("01934b8f-b5c6-7555-a9ab-96a7b8c9daeb"),
  name: "M. Curie",
  phone: null,
  email: null,
  identities: [{ kind: "external", value: "crm-1867", source: "api", addedAt: at("10:40:00.000") }],
  attributes: {},
  tags: [],
  consent: { marketing: "unknown", source: null, changedAt: null },
  createdAt: at("10:40:00.000"),
  updatedAt: at("10:40:00.000"),
  version: 2
})

export const mergeId = ContactMergeId.make("01934ba1-c6d7-7666-babc-a6a7b8c9daeb")

export const segment = new Segment({
  id: SegmentId.make("01934b92-d7e8-7777-8bcd-b6a7b8c9daeb"),
  name: "Subscribers",
  filter: {
    all: [
      { field: "consent", op: "is", value: "subscribed" },
      { field: "attribute", key: "city", op: "is", value: "Paris" }
    ]
  },
  createdAt: at("10:50:00.000"),
  updatedAt: at("10:50:00.000"),
  version: 1
})

export const automationToken: ListedAutomationToken = {
  id: AutomationTokenId.make("01934b78-4c50-7d77-8f91-607182930415"),
  name: "Nightly report",
  permissions: ["organization.read", "members.read"],
  createdBy: ada.id,
  responsibleUserId: ada.id,
  createdAt: at("09:40:00.000"),
  adoptedAt: null,
  expiresAt: DateTime.makeUnsafe("2027-05-20T00:00:00.000Z"),
  lastUsedAt: null,
  revokedAt: null,
  status: "active",
  suspendedBecause: null,
  effectivePermissions: ["organization.read", "members.read"]
}

export const usage = {
  seats: 2,
  contacts: 1_204,
  chatAccounts: 1,
  storeConnections: 0,
  webhookSubscriptions: 1,
  plugins: 0,
  automations: 1,
  workflows: 0,
  broadcastRecipientsPerMonth: 3_180
}

export const entitlements = toEntitlements(organization.plan, usage, DateTime.makeUnsafe("2026-12-01T00:00:00.000Z"))

/** A secret in the right format that opens nothing. */
export const secret = (text: string) => Redacted.make(text)

export const jwt = secret("eyJhbGciOiJFZERTQSIsImtpZCI6ImsxIn0.eyJzdWIiOiIwMTkzNGExMCJ9.c2lnbmF0dXJl")
export const refreshToken = secret("Zk3vT0p9wXq1s8Yb4rJd6uLh2nEc7aGf5mKi0oPzRtQ")
export const deviceToken = secret("mi8kq2s0.7hRw2Lx9Qe4Tt6Uz8Io0Pa1Sd3Fg5Hj7Kl9Yx2Cv4B")
export const oneTimeToken = secret("q8Yw2mXe4Rt6Uz8Io0Pa1Sd3Fg5Hj7Kl9Yx2Cv4Bn6M")

/** The first of several pages. */
export const samplePage = <A>(...data: ReadonlyArray<A>): Page<A> => ({ data, nextCursor: "eyJrIjpbIjAxOTM0YTEwIl19" })

/** The only page. */
export const lastSamplePage = <A>(...data: ReadonlyArray<A>): Page<A> => ({ data, nextCursor: null })

export const automationRun = new AutomationRun({
  id: AutomationRunId.make("9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6072"),
  automationId: automation.id,
  automationVersion: 1,
  state: "failed",
  reason: null,
  event: { position: 47, type: "order.refunded" },
  contactId: contact.id,
  causation: null,
  conditions: { field: "tag", op: "any_of", value: [tag.id], saw: [tag.id], held: true },
  actions: [
    {
      index: 0,
      type: "set_priority",
      state: "failed",
      error: { code: "no_conversation", detail: "The contact has no unresolved conversation." },
      effect: null,
      attempts: 1,
      until: null
    }
  ],
  rerunOf: null,
  createdAt: at("09:35:00.000"),
  startedAt: at("09:35:00.120"),
  finishedAt: at("09:35:00.150")
})

export const actor = { kind: "user", id: ada.id } as const

export const operatorToken = { kind: "operator_token", id: "01934b70-1c30-7d11-8a22-3b4c5d6e7f80" } as const

export const password = secret("a long password that only Ada knows")

export const newPassword = secret("another long password that only Ada knows")
