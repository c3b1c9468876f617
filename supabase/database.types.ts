// Generated from supabase/migrations by `npm run types`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      blog_posts: { Row: { author: string; content: string; created_at: string; id: string; image_url: string | null; published_at: string | null; slug: string | null; title: string; updated_at: string; updated_by: string | null }; Insert: { author: string; content: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title: string; updated_at?: string; updated_by?: string | null }; Update: { author?: string; content?: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title?: string; updated_at?: string; updated_by?: string | null }; Relationships: [] };
      bookings: { Row: { company: string | null; course_id: string; created_at: string; email: string | null; enquiry_id: string | null; id: string; name: string; note: string | null; payment_method: string | null; payment_status: string; phone: string | null; places: number; status: string; updated_at: string; updated_by: string | null }; Insert: { company?: string | null; course_id: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; name: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Update: { company?: string | null; course_id?: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; name?: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "bookings_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }, { foreignKeyName: "bookings_enquiry_id_fkey"; columns: ["enquiry_id"]; isOneToOne: false; referencedRelation: "enquiries"; referencedColumns: ["id"] }] };
      course_dates: { Row: { capacity: number; course_date: string; course_name: string; created_at: string; description: string | null; end_date: string | null; id: string; places_left: number | null; places_taken: number; status: string; updated_at: string; updated_by: string | null }; Insert: { capacity?: number; course_date: string; course_name: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; updated_at?: string; updated_by?: string | null }; Update: { capacity?: number; course_date?: string; course_name?: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [] };
      enquiries: { Row: { course_name: string | null; created_at: string; id: string; message: string; name: string; note: string | null; reply_to: string; status: string; updated_at: string; updated_by: string | null }; Insert: { course_name?: string | null; created_at?: string; id?: string; message: string; name: string; note?: string | null; reply_to: string; status?: string; updated_at?: string; updated_by?: string | null }; Update: { course_name?: string | null; created_at?: string; id?: string; message?: string; name?: string; note?: string | null; reply_to?: string; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [] };
    };
    Views: Record<never, never>;
    Functions: {
      find_people: { Args: { words: string }; Returns: Json };
      forget_page_views: { Args: never; Returns: undefined };
      posts_stand_until: { Args: never; Returns: string };
      record_page_views: { Args: { views: Json; objections?: number }; Returns: Json };
      website_stats: { Args: { period_days?: number }; Returns: Json };
      website_stats_details: { Args: { period_days: number; courses?: Json }; Returns: Json };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
