import { backlog } from "./backlog.ts"
import { workerDirectory } from "./workerDirectory.ts"

export { backlogContract } from "./backlog.ts"
export { workerDirectoryContract } from "./workerDirectory.ts"

export const operationsContracts = [backlog, workerDirectory]
