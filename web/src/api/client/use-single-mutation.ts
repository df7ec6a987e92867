import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * Like useMutation, but ignores calls while the mutation runs, for example the second call of a double click. After
 * `reset` the next call runs, even if the response to the previous one has not arrived.
 */
export function useSingleMutation<Data, Variables = void, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
): UseMutationResult<Data, Error, Variables, Before> {
  // A ref changes at once, whereas `isPending` changes only with the next render.
  const running = useRef<Promise<void>>(null)
  const mutation = useMutation(options)
  const { mutateAsync, reset } = mutation
  return {
    ...mutation,
    mutate: (...args) => {
      if (running.current !== null) return
      const end = () => {
        // After a reset, a later run may be the running one.
        if (running.current === run) running.current = null
      }
      const run = mutateAsync(...args).then(end, end)
      running.current = run
    },
    reset: () => {
      running.current = null
      reset()
    },
  }
}
