import { Automations } from "./Automations.ts"

/** The ports that a storage adapter provides of this area. */
export const automationStorage = [Automations] as const
