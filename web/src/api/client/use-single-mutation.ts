import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Like useMutation, but ignores calls while the mutation runs, for example the second call of a double click. */
export function useSingleMutation<Data, Variables = void, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
): UseMutationResult<Data, Error, Variables, Before> {
  // A ref changes at once, whereas `isPending` changes only with the next render.
  const isRunning = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false
      return options.onSettled?.(...settled)
    },
  })
  const { mutate } = mutation
  return {
    ...mutation,
    mutate: (...args) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(...args)
    },
  }
}
