import { docsCodes } from "./docsCodes.ts"

export { docsCodesContract } from "./docsCodes.ts"

export const docsHandoffContracts = [docsCodes]
