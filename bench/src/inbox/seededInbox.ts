/** When something last happened in the conversations of `seed-inbox`: anywhere within these days, in each as likely. */
export const activity = { first: Date.UTC(2025, 9, 1), wholeSeconds: 400 * 86_400 }

/** A time with this share of all conversations active before it. */
export const activeBefore = (share: number) =>
  new Date(activity.first + share * activity.wholeSeconds * 1_000).toISOString()

/** Numbers and members of each organization. */
export const numbersEach = 3
export const agentsEach = 11

/** The labels of conversations, from the commonest to the rarest. */
export const labels: ReadonlyArray<readonly [string, number]> = [
  ["billing", 0.2],
  ["delivery", 0.1],
  ["vip", 0.02],
  ["legal", 0.001],
  ["press", 0.0002]
]

/** The id of a chat account of the organization with this place. */
export const chatAccountIdAt = (organization: number, place: number) =>
  `00000000-0000-7000-b${String(place).padStart(3, "0")}-${organization.toString(16).padStart(12, "0")}`

/** The most an id can be, to come before all that happened at the same time. */
export const beyondIds = "ffffffff-ffff-ffff-ffff-ffffffffffff"
