import { files } from "./files.ts"

export { filesContract } from "./files.ts"

export const filesContracts = [files]
