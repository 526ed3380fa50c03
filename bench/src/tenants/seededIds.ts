const start = "00000000-0000-7000-8000-000000"
const firstOrganization = 100_000
const firstAutomation = 200_000

/** How the ids of the benchmark are made: from numbers, because pgbench can draw a random number but not a random id. */
export const seededIds = { start, firstOrganization, firstAutomation }

/** The id of the organization with this place, from 0. */
export const organizationIdAt = (place: number) => `${start}${firstOrganization + place}`

/** Id of the automation at this place among the automations of all organizations, from 0. */
export const automationIdAt = (place: number) => `${start}${firstAutomation + place}`
