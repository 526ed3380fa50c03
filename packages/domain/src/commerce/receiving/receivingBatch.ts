/** How many records are taken in one unit of work: enough that statements cost little each, few enough that nobody waits for long. */
export const receivingBatch = 500
