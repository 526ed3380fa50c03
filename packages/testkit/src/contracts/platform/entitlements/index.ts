import { plans } from "./plans.ts"

export { plansContract } from "./plans.ts"

export const entitlementsContracts = [plans]
